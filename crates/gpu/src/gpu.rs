//! The one thin layer over cudarc, with `kernel.rs`: a GPU, its memory and times.
//!
//! cudarc panics where libcuda is missing, so its presence is asked for first. Bytes are cast by bytemuck
//! alone, and what is unsafe here calls the driver, which Miri cannot run.

use std::sync::Arc;

use cudarc::driver::sys::{self, CUdevice_attribute as Attribute};
use cudarc::driver::{CudaContext, CudaEvent, CudaGraph, CudaStream, result};

use super::error::{CudaError, During, Result};
use super::nvrtc::Architecture;

/// A GPU with one stream, on which everything happens in order. Unless stated otherwise, methods
/// fail with what the driver says ([`CudaError::Driver`]).
pub struct Gpu {
    pub(super) context: Arc<CudaContext>,
    pub(super) stream: Arc<CudaStream>,
}

/// The number of GPUs.
///
/// # Errors
/// [`CudaError::NoDriver`], or [`CudaError::NoDevice`] if there are none.
pub fn count() -> Result<usize> {
    // SAFETY: it only tries to load the library.
    if !unsafe { sys::is_culib_present() } {
        return Err(CudaError::NoDriver);
    }
    result::init().map_err(|error| CudaError::NoDevice(format!("{:?}", error.0)))?;
    match CudaContext::device_count() {
        Ok(0) => Err(CudaError::NoDevice("it counts 0".to_owned())),
        Ok(count) => Ok(count as usize),
        Err(error) => Err(CudaError::NoDevice(format!("{:?}", error.0))),
    }
}

/// The newest CUDA version that the driver supports, as in `13.0`.
///
/// # Errors
/// [`CudaError::NoDriver`].
pub fn driver_cuda() -> Result<String> {
    count()?;
    let mut version = 0;
    // SAFETY: the integer outlives the call.
    unsafe { sys::cuDriverGetVersion(&mut version) }.result().during("ask for the version")?;
    Ok(format!("{}.{}", version / 1000, version % 1000 / 10))
}

impl Gpu {
    /// Opens GPU `ordinal`.
    ///
    /// # Errors
    /// No driver, no such device, or one that cannot be used.
    pub fn open(ordinal: usize) -> Result<Self> {
        let count = count()?;
        if ordinal >= count {
            return Err(CudaError::Ordinal { ordinal, count });
        }
        let context = CudaContext::new(ordinal).during("open the GPU")?;
        let stream = context.new_stream().during("make a stream")?;
        // SAFETY: everything happens on one stream, in order.
        unsafe { context.disable_event_tracking() };
        Ok(Self { context, stream })
    }

    /// As the driver has it: `NVIDIA H100 80GB HBM3`.
    pub fn name(&self) -> Result<String> {
        self.context.name().during("ask for the name")
    }

    /// A number that the driver knows of it; 0 if it is negative.
    pub fn attribute(&self, attribute: Attribute) -> Result<u64> {
        let value = self.context.attribute(attribute).during("ask for an attribute")?;
        Ok(u64::try_from(value).unwrap_or(0))
    }

    /// What kernels are compiled for: its compute capability.
    pub fn architecture(&self) -> Result<Architecture> {
        let (major, minor) =
            self.context.compute_capability().during("ask for the architecture")?;
        Ok(Architecture((10 * major + minor) as u32))
    }

    /// Bytes of memory: free, and in all.
    pub fn memory(&self) -> Result<(u64, u64)> {
        let (free, total) = self.context.mem_get_info().during("ask for free memory")?;
        Ok((free as u64, total as u64))
    }

    /// How many run at once.
    pub fn multiprocessors(&self) -> Result<u64> {
        self.attribute(Attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)
    }

    /// Memory without defined content.
    ///
    /// # Errors
    /// [`CudaError::Memory`] if it does not fit.
    pub fn allocate(&self, bytes: u64) -> Result<Buffer> {
        self.bind()?;
        let (free, _) = self.memory()?;
        if bytes > free {
            return Err(CudaError::Memory { bytes, free });
        }
        // SAFETY: the pointer is freed once, when the buffer is dropped.
        let pointer = unsafe { result::malloc_sync(bytes.max(1) as usize) };
        let pointer = match pointer {
            Err(error) if error.0 == sys::CUresult::CUDA_ERROR_OUT_OF_MEMORY => {
                return Err(CudaError::Memory { bytes, free });
            }
            other => other.during("allocate memory")?,
        };
        Ok(Buffer { pointer, bytes, context: self.context.clone() })
    }

    pub(super) fn bind(&self) -> Result<()> {
        self.context.bind_to_thread().during("select the GPU")
    }

    /// Copies bytes to the beginning of a buffer.
    pub fn upload(&self, buffer: &Buffer, bytes: &[u8]) -> Result<()> {
        self.upload_at(buffer, 0, bytes)
    }

    /// Copies bytes to a buffer, from its byte `offset` on.
    pub fn upload_at(&self, buffer: &Buffer, offset: u64, bytes: &[u8]) -> Result<()> {
        assert!(offset + bytes.len() as u64 <= buffer.bytes, "the bytes fit the buffer");
        self.bind()?;
        let stream = self.stream.cu_stream();
        // In the stream's order: what was asked for before may still write the buffer.
        // SAFETY: the bytes lie in the buffer, and are read before the wait is over.
        unsafe { result::memcpy_htod_async(buffer.pointer + offset, bytes, stream) }
            .during("copy to the GPU")?;
        self.synchronize()
    }

    /// Copies the beginning of a buffer, once all work is done.
    pub fn download(&self, buffer: &Buffer, bytes: &mut [u8]) -> Result<()> {
        self.download_at(buffer, 0, bytes)
    }

    /// Copies bytes of a buffer, from its byte `offset` on, once all work is done.
    pub fn download_at(&self, buffer: &Buffer, offset: u64, bytes: &mut [u8]) -> Result<()> {
        assert!(offset + bytes.len() as u64 <= buffer.bytes, "the bytes lie in the buffer");
        self.synchronize()?;
        // SAFETY: the bytes lie in the buffer.
        unsafe { result::memcpy_dtoh_sync(bytes, buffer.pointer + offset) }
            .during("copy from the GPU")
    }

    /// Sets every byte.
    pub fn set(&self, buffer: &Buffer, byte: u8) -> Result<()> {
        self.set_first(buffer, buffer.bytes, byte)
    }

    /// Sets the first bytes.
    pub fn set_first(&self, buffer: &Buffer, bytes: u64, byte: u8) -> Result<()> {
        assert!(bytes <= buffer.bytes, "the bytes lie in the buffer");
        self.bind()?;
        let stream = self.stream.cu_stream();
        // SAFETY: the buffer has as many bytes.
        unsafe { result::memset_d8_async(buffer.pointer, byte, bytes as usize, stream) }
            .during("fill memory")
    }

    /// Copies the beginning of one buffer to another, on the device.
    pub fn copy(&self, from: &Buffer, to: &Buffer, bytes: u64) -> Result<()> {
        assert!(bytes <= from.bytes && bytes <= to.bytes, "the bytes fit both buffers");
        self.bind()?;
        let (length, stream) = (bytes as usize, self.stream.cu_stream());
        // SAFETY: both buffers have as many bytes.
        unsafe { result::memcpy_dtod_async(to.pointer, from.pointer, length, stream) }
            .during("copy on the GPU")
    }

    /// Captures what `work` launches, without running it.
    pub fn capture(&self, work: impl FnOnce() -> Result<()>) -> Result<Graph> {
        let mode = sys::CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_THREAD_LOCAL;
        self.stream.begin_capture(mode).during("begin a graph")?;
        let done = work();
        let flags = sys::CUgraphInstantiate_flags(0);
        let graph = self.stream.end_capture(flags).during("end a graph");
        done?;
        let graph = graph?
            .ok_or(CudaError::Driver { what: "end a graph", error: "it is empty".to_owned() })?;
        graph.upload().during("upload a graph")?;
        Ok(Graph(graph))
    }

    /// Waits until everything asked for is done.
    pub fn synchronize(&self) -> Result<()> {
        self.stream.synchronize().during("wait for the GPU")
    }

    /// Seconds that the GPU takes for what `work` launches, `count` times one right after another;
    /// once more before them, so that none waits for the host or for an idle GPU.
    pub fn laps(&self, count: usize, work: impl Fn() -> Result<()>) -> Result<Vec<f64>> {
        let timing = Some(sys::CUevent_flags::CU_EVENT_DEFAULT);
        let lap = |_| {
            work()?;
            let event = self.context.new_event(timing).during("make an event")?;
            event.record(&self.stream).during("record an event")?;
            Ok(event)
        };
        let events = (0..=count).map(lap).collect::<Result<Vec<_>>>()?;
        self.synchronize()?;
        let seconds = |pair: &[CudaEvent]| {
            let milliseconds = pair[0].elapsed_ms(&pair[1]).during("read the time")?;
            Ok(f64::from(milliseconds) / 1e3)
        };
        events.windows(2).map(seconds).collect()
    }

    /// Seconds that the GPU takes for what `work` launches.
    pub fn seconds(&self, work: impl FnOnce() -> Result<()>) -> Result<f64> {
        let timing = Some(sys::CUevent_flags::CU_EVENT_DEFAULT);
        let event = || self.context.new_event(timing).during("make an event");
        let (begin, end) = (event()?, event()?);
        begin.record(&self.stream).during("record an event")?;
        work()?;
        end.record(&self.stream).during("record an event")?;
        end.synchronize().during("wait for the GPU")?;
        let milliseconds = begin.elapsed_ms(&end).during("read the time")?;
        Ok(f64::from(milliseconds) / 1e3)
    }
}

/// Memory of a GPU; dropped, it is freed.
pub struct Buffer {
    pointer: sys::CUdeviceptr,
    bytes: u64,
    context: Arc<CudaContext>,
}

impl Buffer {
    /// The address, as a kernel's argument.
    pub const fn address(&self) -> u64 {
        self.pointer
    }

    /// Its size.
    pub const fn bytes(&self) -> u64 {
        self.bytes
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        // Nothing can be done about a failure: the context is lost, and its memory with it.
        if self.context.bind_to_thread().is_ok() {
            // SAFETY: allocated once, freed once.
            let _ = unsafe { result::free_sync(self.pointer) };
        }
    }
}

/// Captured launches.
pub struct Graph(CudaGraph);

impl Graph {
    /// Asks for all launches once more; does not wait for them.
    pub fn launch(&self) -> Result<()> {
        self.0.launch().during("launch a graph")
    }
}
