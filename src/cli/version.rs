//! `umm --version --verbose`

use crate::gpu::{self, Gpu, nvrtc};

/// What a report on a fault should say: the version, how it was built, and what it finds here.
pub(super) fn text() -> String {
    let features = [
        ("mpi", cfg!(feature = "mpi")),
        ("plot", cfg!(feature = "plot")),
        ("web", cfg!(feature = "web")),
    ];
    let features: Vec<&str> = features.iter().filter(|it| it.1).map(|it| it.0).collect();
    #[cfg(feature = "web")]
    let page = memory_machine_page::SUM.split(' ').next().unwrap_or_default();
    #[cfg(not(feature = "web"))]
    let page = "not inside: built without the feature web";
    let nvrtc = nvrtc::version().unwrap_or_else(|why| why.to_string());
    let gpus = gpu::count().and_then(|count| (0..count).map(|it| Gpu::open(it)?.name()).collect());
    let gpus = gpus.map_or_else(|why| why.to_string(), |names: Vec<String>| names.join(", "));
    let rows = [
        (
            "commit",
            option_env!("UMM_COMMIT").unwrap_or("unknown: built without UMM_COMMIT").to_owned(),
        ),
        ("target", format!("{}-{}", std::env::consts::ARCH, std::env::consts::OS)),
        ("features", features.join(", ")),
        ("page", page.to_owned()),
        ("NVRTC", nvrtc),
        ("GPU", gpus),
    ];
    let rows = rows.map(|(name, value)| format!("{name:<10}{value}\n"));
    format!("umm {}\n{}", env!("CARGO_PKG_VERSION"), rows.concat())
}
