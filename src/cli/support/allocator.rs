//! What is asked of memory beyond what there is ends in a message, not in a dead process.

use std::alloc::{GlobalAlloc, Layout, System};
use std::fmt;
use std::io::{self, Write};
use std::process::exit;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use super::staging::remove_temporary;
use crate::host::memory::{self, LARGE, MemoryExcess};

/// The system's allocator. A large piece is given only where physical memory is left for it, which
/// Linux itself does not ask before it is used; without memory the process says so and ends with
/// exit code 2.
pub struct CappedAllocator;

/// What to do about too little memory: with a listing, and with what else a command is about.
const REMEDIES: [&str; 2] = [
    "choose smaller sizes (--set, -n) or fewer threads (-p), or count a listing's time alone: umm run \
     --time-only",
    "choose fewer points, vertices or rows, or a computer with more memory",
];

/// Which of the remedies is one for the command that runs.
static REMEDY: AtomicUsize = AtomicUsize::new(0);

/// Has failures for want of memory say what helps a command that runs a listing, or one of the others.
pub(crate) fn set_remedy(is_of_listing: bool) {
    REMEDY.store(usize::from(!is_of_listing), Ordering::Relaxed);
}

/// Bytes of large pieces that are held.
static HELD: AtomicU64 = AtomicU64::new(0);

/// What counts of a piece of this many bytes.
const fn large(size: usize) -> u64 {
    if (size as u64) < LARGE { 0 } else { size as u64 }
}

/// Gives a piece of `size` bytes in place of one of `before`.
fn give(before: usize, size: usize, piece: impl FnOnce() -> *mut u8) -> *mut u8 {
    let (before, more) = (large(before), large(size));
    if more > before
        && let Some((available, used)) = memory::physical()
    {
        // What was given before and is not used yet will be.
        let need = HELD.load(Ordering::Relaxed).saturating_sub(used) + (more - before);
        if need > available {
            refuse(format_args!("this needs another {}", MemoryExcess { need, available }));
        }
    }
    let piece = piece();
    if piece.is_null() {
        refuse(format_args!("the system gives no more memory, and {size} bytes were asked for"));
    }
    // Threads that ask for small pieces share nothing.
    if more != before {
        HELD.fetch_add(more, Ordering::Relaxed);
        HELD.fetch_sub(before, Ordering::Relaxed);
    }
    piece
}

fn refuse(why: fmt::Arguments<'_>) -> ! {
    remove_temporary();
    let _ = writeln!(io::stderr(), "error: {why}; {}", REMEDIES[REMEDY.load(Ordering::Relaxed)]);
    exit(2)
}

// SAFETY: every piece is the system allocator's, which is asked with the same layouts.
unsafe impl GlobalAlloc for CappedAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        give(0, layout.size(), || unsafe { System.alloc(layout) })
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        give(0, layout.size(), || unsafe { System.alloc_zeroed(layout) })
    }

    unsafe fn realloc(&self, piece: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        give(layout.size(), size, || unsafe { System.realloc(piece, layout, size) })
    }

    unsafe fn dealloc(&self, piece: *mut u8, layout: Layout) {
        unsafe { System.dealloc(piece, layout) };
        if large(layout.size()) > 0 {
            HELD.fetch_sub(large(layout.size()), Ordering::Relaxed);
        }
    }
}
