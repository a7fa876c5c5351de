//! Kernels: loaded machine code and its launches.
//!
//! The driver reads as many arguments as a kernel has parameters, at the places that it is given. So
//! a [`Function`] knows its parameters' sizes, and a launch whose arguments are others is refused.

use std::ffi::{CString, c_void};
use std::sync::Arc;

use cudarc::driver::{CudaContext, result, sys};

use super::error::{CudaError, During, Result};
use super::gpu::Gpu;

/// Loaded machine code.
#[derive(Clone)]
pub struct Module(Arc<Loaded>);

/// Dropped, it is unloaded.
struct Loaded {
    module: sys::CUmodule,
    context: Arc<CudaContext>,
}

// SAFETY: a module is a handle that the driver lets any thread use.
unsafe impl Send for Loaded {}
// SAFETY: as above; nothing here changes it.
unsafe impl Sync for Loaded {}

impl Drop for Loaded {
    fn drop(&mut self) {
        if self.context.bind_to_thread().is_ok() {
            // SAFETY: loaded once, unloaded once.
            let _ = unsafe { result::module::unload(self.module) };
        }
    }
}

/// A kernel.
#[derive(Clone)]
pub struct Function {
    function: sys::CUfunction,
    /// Bytes of each parameter.
    parameters: Vec<usize>,
    /// Bytes of dynamic shared memory a block.
    shared: u32,
    /// Keeps the code loaded.
    _module: Module,
}

impl Module {
    /// The kernel of this name.
    ///
    /// # Errors
    /// There is none, or the driver is older than CUDA 12.4 and cannot tell its parameters.
    pub fn function(&self, name: &str) -> Result<Function> {
        let zero = |_| CudaError::Driver { what: "find a kernel", error: "its name".to_owned() };
        let name = CString::new(name).map_err(zero)?;
        // SAFETY: the module is loaded.
        let function = unsafe { result::module::get_function(self.0.module, name) };
        let function = function.during("find a kernel")?;
        let parameters = parameters(function)?;
        Ok(Function { function, parameters, shared: 0, _module: self.clone() })
    }

    /// The same with `shared` bytes of dynamic shared memory a block.
    ///
    /// # Errors
    /// More than a block of this GPU may have.
    pub fn function_with(&self, name: &str, shared: u32) -> Result<Function> {
        let function = Function { shared, ..self.function(name)? };
        let attribute = sys::CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
        // SAFETY: the function's module is loaded.
        unsafe { sys::cuFuncSetAttribute(function.function, attribute, shared as i32) }
            .result()
            .during("ask for shared memory")?;
        Ok(function)
    }
}

/// Bytes of each parameter of a function whose module is loaded.
fn parameters(function: sys::CUfunction) -> Result<Vec<usize>> {
    const WHAT: &str = "ask for a kernel's parameters";
    let mut version = 0;
    // SAFETY: the integer outlives the call.
    unsafe { sys::cuDriverGetVersion(&mut version) }.result().during(WHAT)?;
    if version < 12_040 {
        let error = "the driver is older than CUDA 12.4; install a newer one".to_owned();
        return Err(CudaError::Driver { what: WHAT, error });
    }
    let mut sizes = vec![];
    loop {
        let (mut offset, mut size) = (0, 0);
        // SAFETY: the function is loaded, and both integers outlive the call.
        let asked =
            unsafe { sys::cuFuncGetParamInfo(function, sizes.len(), &mut offset, &mut size) };
        match asked {
            // Past the last one.
            sys::CUresult::CUDA_ERROR_INVALID_VALUE => return Ok(sizes),
            other => other.result().during(WHAT)?,
        }
        sizes.push(size);
    }
}

impl Function {
    /// The places of the arguments, each as long as its parameter at least.
    fn places(&self, arguments: &[&[u64]]) -> Result<Vec<*mut c_void>> {
        let fits = |(words, size): (&&[u64], &usize)| size_of_val(*words) >= *size;
        if arguments.len() != self.parameters.len()
            || !arguments.iter().zip(&self.parameters).all(fits)
        {
            let given: Vec<usize> = arguments.iter().map(|it| size_of_val(*it)).collect();
            let error =
                format!("parameters of {:?} bytes, arguments of {given:?}", self.parameters);
            return Err(CudaError::Driver { what: "launch a kernel", error });
        }
        Ok(arguments.iter().map(|words| words.as_ptr().cast_mut().cast()).collect())
    }
}

impl Gpu {
    /// Loads machine code.
    ///
    /// # Errors
    /// What the driver does not take.
    pub fn load(&self, cubin: &[u8]) -> Result<Module> {
        self.bind()?;
        // SAFETY: the image is a whole cubin, and outlives the call.
        let module = unsafe { result::module::load_data(cubin.as_ptr().cast()) };
        let module = module.during("load the kernels")?;
        Ok(Module(Arc::new(Loaded { module, context: self.context.clone() })))
    }

    /// Blocks of a kernel that the whole GPU holds at once.
    ///
    /// # Errors
    /// What the driver says.
    pub fn resident_blocks(&self, function: &Function, block: u32) -> Result<u64> {
        let (mut blocks, shared) = (0, function.shared as usize);
        // SAFETY: the integer outlives the call, and the function's module is loaded.
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

    /// Launches a kernel whose parameters are words.
    ///
    /// # Errors
    /// Arguments that are not its parameters; what the driver says.
    pub fn launch(&self, function: &Function, shape: (u32, u32), arguments: &[u64]) -> Result<()> {
        let arguments: Vec<&[u64]> = arguments.iter().map(std::slice::from_ref).collect();
        self.launch_words(function, shape, &arguments)
    }

    /// Launches a kernel that takes structures: the words of each argument lie together.
    ///
    /// # Errors
    /// As [`Self::launch`].
    pub fn launch_words(
        &self,
        function: &Function,
        (grid, block): (u32, u32),
        arguments: &[&[u64]],
    ) -> Result<()> {
        self.bind()?;
        let mut places = function.places(arguments)?;
        let (grid, block, stream) = ((grid, 1, 1), (block, 1, 1), self.stream.cu_stream());
        let Function { function, shared, .. } = *function;
        // SAFETY: there is an argument for each parameter, as long as it is.
        unsafe { result::launch_kernel(function, grid, block, shared, stream, &mut places) }
            .during("launch a kernel")
    }

    /// Launches a kernel all blocks of which run at once.
    ///
    /// # Errors
    /// [`CudaError::Cooperative`] if they do not fit; as [`Self::launch`].
    pub fn launch_cooperative(
        &self,
        function: &Function,
        (grid, block): (u32, u32),
        arguments: &[u64],
    ) -> Result<()> {
        self.bind()?;
        let arguments: Vec<&[u64]> = arguments.iter().map(std::slice::from_ref).collect();
        let mut places = function.places(&arguments)?;
        let (grid, block, stream) = ((grid, 1, 1), (block, 1, 1), self.stream.cu_stream());
        let Function { function, shared, .. } = *function;
        // SAFETY: as for `launch_words`.
        let launched = unsafe {
            result::launch_cooperative_kernel(function, grid, block, shared, stream, &mut places)
        };
        match launched {
            Err(error) if error.0 == sys::CUresult::CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE => {
                Err(CudaError::Cooperative)
            }
            other => other.during("launch a cooperative kernel"),
        }
    }
}
