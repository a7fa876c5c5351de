//! The one thin layer over cudarc: a GPU, its memory, kernels, launches and times.
//!
//! cudarc panics where libcuda is missing, so its presence is asked for first.

use std::ffi::{CString, c_void};
use std::sync::Arc;

use cudarc::driver::sys::{self, CUdevice_attribute as Attribute};
use cudarc::driver::{CudaContext, CudaEvent, CudaGraph, CudaStream, result};

use super::error::{CudaError, During, Result};
use super::nvrtc::Architecture;
use crate::algorithms::points::Point;

/// A GPU with one stream, on which everything happens in order.
pub struct Gpu {
    context: Arc<CudaContext>,
    stream: Arc<CudaStream>,
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

    pub fn name(&self) -> Result<String> {
        self.context.name().during("ask for the name")
    }

    pub fn attribute(&self, attribute: Attribute) -> Result<u64> {
        let value = self.context.attribute(attribute).during("ask for an attribute")?;
        Ok(u64::try_from(value).unwrap_or(0))
    }

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

    fn bind(&self) -> Result<()> {
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

    /// Loads machine code.
    pub fn load(&self, cubin: &[u8]) -> Result<Module> {
        self.bind()?;
        // SAFETY: the image is a whole cubin, and outlives the call.
        let module = unsafe { result::module::load_data(cubin.as_ptr().cast()) };
        let module = module.during("load the kernels")?;
        Ok(Module { module, context: self.context.clone() })
    }

    /// Blocks of a kernel that the whole GPU holds at once.
    pub fn resident_blocks(&self, function: &Function, block: u32) -> Result<u64> {
        let (mut blocks, shared) = (0, function.shared as usize);
        // SAFETY: the integer outlives the call, and the function's module its use.
        let asked = unsafe {
            sys::cuOccupancyMaxActiveBlocksPerMultiprocessor(
                &mut blocks,
                function.function,
                block as i32,
                shared,
            )
        };
        asked.result().during("ask for the occupancy")?;
        Ok(blocks as u64 * self.multiprocessors()?)
    }

    /// Launches a kernel.
    pub fn launch(&self, function: &Function, shape: (u32, u32), arguments: &[u64]) -> Result<()> {
        let arguments: Vec<&[u64]> = arguments.iter().map(std::slice::from_ref).collect();
        self.launch_words(function, shape, &arguments)
    }

    /// Launches a kernel that takes structures: the words of each argument lie together.
    pub fn launch_words(
        &self,
        function: &Function,
        (grid, block): (u32, u32),
        arguments: &[&[u64]],
    ) -> Result<()> {
        self.bind()?;
        let stream = self.stream.cu_stream();
        let Function { function, shared } = *function;
        let mut pointers: Vec<*mut c_void> =
            arguments.iter().map(|words| words.as_ptr().cast_mut().cast()).collect();
        // SAFETY: kernels are emitted together with the list of their arguments.
        unsafe {
            result::launch_kernel(
                function,
                (grid, 1, 1),
                (block, 1, 1),
                shared,
                stream,
                &mut pointers,
            )
        }
        .during("launch a kernel")
    }

    /// Launches a kernel all blocks of which run at once.
    ///
    /// # Errors
    /// [`CudaError::Cooperative`] if they do not fit.
    pub fn launch_cooperative(
        &self,
        function: &Function,
        (grid, block): (u32, u32),
        arguments: &[u64],
    ) -> Result<()> {
        self.bind()?;
        let stream = self.stream.cu_stream();
        let mut pointers = pointers(arguments);
        // SAFETY: as for `launch`.
        let launched = unsafe {
            result::launch_cooperative_kernel(
                function.function,
                (grid, 1, 1),
                (block, 1, 1),
                function.shared,
                stream,
                &mut pointers,
            )
        };
        match launched {
            Err(error) if error.0 == sys::CUresult::CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE => {
                Err(CudaError::Cooperative)
            }
            other => other.during("launch a cooperative kernel"),
        }
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

/// Kernels' arguments are read at these places, as many bytes as their types have.
fn pointers(arguments: &[u64]) -> Vec<*mut c_void> {
    arguments.iter().map(|argument| std::ptr::from_ref(argument).cast_mut().cast()).collect()
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

/// Loaded machine code; dropped, it is unloaded.
pub struct Module {
    module: sys::CUmodule,
    context: Arc<CudaContext>,
}

impl Module {
    pub fn function(&self, name: &str) -> Result<Function> {
        let zero = |_| CudaError::Driver { what: "find a kernel", error: "its name".to_owned() };
        let name = CString::new(name).map_err(zero)?;
        // SAFETY: the module is loaded.
        let function = unsafe { result::module::get_function(self.module, name) };
        Ok(Function { function: function.during("find a kernel")?, shared: 0 })
    }

    /// The same with `shared` bytes of dynamic shared memory a block.
    ///
    /// # Errors
    /// More than a block of this GPU may have.
    pub fn function_with(&self, name: &str, shared: u32) -> Result<Function> {
        let Function { function, .. } = self.function(name)?;
        let attribute = sys::CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
        // SAFETY: the function's module is loaded.
        unsafe { sys::cuFuncSetAttribute(function, attribute, shared as i32) }
            .result()
            .during("ask for shared memory")?;
        Ok(Function { function, shared })
    }
}

impl Drop for Module {
    fn drop(&mut self) {
        if self.context.bind_to_thread().is_ok() {
            // SAFETY: loaded once, unloaded once.
            let _ = unsafe { result::module::unload(self.module) };
        }
    }
}

/// A kernel of a loaded module, which must outlive its use.
#[derive(Debug, Clone, Copy)]
pub struct Function {
    function: sys::CUfunction,
    /// Bytes of dynamic shared memory a block.
    shared: u32,
}

/// Captured launches.
pub struct Graph(CudaGraph);

impl Graph {
    pub fn launch(&self) -> Result<()> {
        self.0.launch().during("launch a graph")
    }
}

/// Numbers that a GPU holds as the CPU does.
pub trait Plain: Copy + Default {}

impl Plain for f32 {}
impl Plain for f64 {}
impl Plain for i32 {}
impl Plain for u32 {}
impl Plain for u64 {}
impl Plain for Point {}
impl Plain for [f64; 4] {}

/// The bytes of numbers.
pub fn bytes_of<T: Plain>(numbers: &[T]) -> &[u8] {
    // SAFETY: these types have no padding, and bytes may be read from any place.
    unsafe { std::slice::from_raw_parts(numbers.as_ptr().cast(), size_of_val(numbers)) }
}

/// The same to write.
pub fn bytes_of_mut<T: Plain>(numbers: &mut [T]) -> &mut [u8] {
    // SAFETY: as above, and any bytes are a number.
    unsafe { std::slice::from_raw_parts_mut(numbers.as_mut_ptr().cast(), size_of_val(numbers)) }
}
