//! Headers that kernels can do without: NVRTC has none of the host's.

/// Headers that are there, and empty: what kernels need of them NVRTC or the prelude has.
pub(super) const EMPTY_HEADERS: &str = "\
    algorithm array assert.h atomic bits/stdc++.h bitset cassert cctype cerrno cfloat chrono cinttypes \
    climits clocale cmath complex condition_variable csignal cstdarg cstddef cstdint cstdio cstdlib cstring \
    ctime ctype.h cublas.h cublasLt.h cublasXt.h cublas_v2.h cuda.h cuda_profiler_api.h cuda_runtime.h \
    cuda_runtime_api.h cusolverDn.h cusparse.h cusparse_v2.h deque device_functions.h \
    device_launch_parameters.h dirent.h driver_types.h errno.h exception exception.h fcntl.h filesystem \
    float.h forward_list fstream functional future getopt.h helper_cuda.h helper_functions.h helper_image.h \
    helper_string.h helper_timer.h host_defines.h initializer_list inttypes.h iomanip ios iosfwd iostream \
    istream iterator limits limits.h list locale locale.h malloc.h map math.h math_functions.h memory \
    memory.h mutex new numeric nvToolsExt.h nvtx3/nvToolsExt.h omp.h optional ostream pthread.h queue random \
    ratio set shared_mutex signal.h sm_20_atomic_functions.h sm_30_intrinsics.h sstream stack stdarg.h \
    stdbool.h stddef.h stdexcept stdint.h stdio.h stdlib.h streambuf string string.h string_view strings.h \
    sys/mman.h sys/resource.h sys/stat.h sys/time.h sys/timeb.h sys/types.h sys/wait.h system_error thread \
    time.h timer.h tuple type_traits typeinfo unistd.h unordered_map unordered_set utility valarray variant \
    vector vector_functions.h vector_types.h wchar.h windows.h";

/// Beginnings of headers that are of no use to kernels.
const HOST_HEADERS: [&str; 10] = [
    "sys/",
    "linux/",
    "GL/",
    "X11/",
    "opencv2/",
    "boost/",
    "curand.h",
    "torch/",
    "ATen/",
    "pybind11/",
];

/// What every kernel may use of those headers.
pub(super) const PRELUDE: &str = include_str!("prelude.cuh");

/// Whether kernels need nothing of a header.
pub(super) fn is_host_header(name: &str) -> bool {
    EMPTY_HEADERS.split(' ').any(|it| it == name)
        || HOST_HEADERS.iter().any(|it| name.starts_with(it))
}

/// The header that a line includes, and whether it stands in quotes.
pub(super) fn included(line: &str) -> Option<(&str, bool)> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("include")?;
    let rest = rest.trim_start();
    let (quote, end) = if rest.starts_with('"') { ('"', '"') } else { ('<', '>') };
    let name = rest.strip_prefix(quote)?.split(end).next()?;
    Some((name, quote == '"'))
}
