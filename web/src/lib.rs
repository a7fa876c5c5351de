//! The simulator for a browser: questions and answers are JSON texts in the module's memory.
//!
//! A page writes a question into [`allocate`]d bytes and calls [`ask`]; the answer's bytes stand where
//! [`answer`] says until the next question. Every number comes from the library; this crate only words
//! questions and answers. [`questions`] has their shapes.

mod case;
mod exercises;
mod gallery;
mod measurements;
mod questions;
mod stepper;
mod sweep;

use std::cell::RefCell;

thread_local! {
    static ANSWER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Bytes for a question, which [`ask`] takes back.
#[unsafe(no_mangle)]
pub extern "C" fn allocate(length: usize) -> *mut u8 {
    let bytes = vec![0_u8; length].into_boxed_slice();
    Box::into_raw(bytes).cast()
}

/// Answers the question in `length` bytes that were [`allocate`]d; returns the length of the answer.
///
/// # Safety
/// `question` is what `allocate(length)` gave, once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ask(question: *mut u8, length: usize) -> usize {
    let bytes = std::ptr::slice_from_raw_parts_mut(question, length);
    // SAFETY: the caller gives back the box that `allocate` made.
    let bytes = unsafe { Box::from_raw(bytes) };
    let answer = questions::answer(&bytes);
    ANSWER.with(|it| {
        *it.borrow_mut() = answer;
        it.borrow().len()
    })
}

/// Where the last answer stands.
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> *const u8 {
    ANSWER.with(|it| it.borrow().as_ptr())
}
