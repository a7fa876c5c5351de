//! Scoreboards: on what the readers of a word that is on its way wait.
//!
//! A warp has six, and who waits for one waits for all reads that have it (NVIDIA's machine code names
//! them in every instruction; Jia and others 2018, 'Dissecting the NVIDIA Volta GPU Architecture via
//! Microbenchmarking', Chapter 2).

use std::collections::HashMap;

use super::predication::Line;

/// Those that reads take; the others are for registers that must be read before they are overwritten.
const BOARDS: usize = 3;

/// Gives each read of a block its scoreboard. Reads that are first waited for together share one; the
/// others take one that is free, and if none is, the last one.
pub(super) fn assign(block: &mut [Line]) {
    // By place, where what is read there is first used.
    let mut first = vec![usize::MAX; block.len()];
    let mut from: HashMap<u32, usize> = HashMap::new();
    for (at, (instruction, _)) in block.iter().enumerate() {
        for register in instruction.reads() {
            if let Some(read) = from.remove(&register) {
                first[read] = first[read].min(at);
            }
        }
        for &register in &instruction.to {
            match instruction.waits_on_board() {
                true => from.insert(register, at),
                false => from.remove(&register),
            };
        }
    }
    // By board, its reads that were not waited for; the board that was taken last.
    let mut taken: Vec<Vec<usize>> = vec![vec![]; BOARDS];
    let mut last = 0;
    for at in 0..block.len() {
        for reads in &mut taken {
            if reads.iter().any(|it| first[*it] <= at) {
                reads.clear();
            }
        }
        if !block[at].0.waits_on_board() {
            continue;
        }
        let shared = taken.iter().position(|it| it.iter().any(|it| first[*it] == first[at]));
        let free = (1..=BOARDS).map(|it| (last + it) % BOARDS).find(|it| taken[*it].is_empty());
        last = shared.filter(|_| first[at] < usize::MAX).or(free).unwrap_or(last);
        taken[last].push(at);
        block[at].0.board = last as u8;
    }
}

/// The scoreboards of a warp.
pub(super) struct Boards {
    /// By register, the board on which its readers wait.
    of: Vec<Option<u8>>,
    /// By board, when all its reads are there, and their registers.
    reads: Vec<(f64, Vec<u32>)>,
}

impl Boards {
    pub(super) fn new(registers: usize) -> Self {
        Self { of: vec![None; registers], reads: vec![(0.0, vec![]); BOARDS] }
    }

    /// Something is on its way to a register, or computed.
    pub(super) fn take(&mut self, register: u32, board: Option<u8>, there: f64) {
        self.of[register as usize] = board;
        if let Some(board) = board {
            let (all, registers) = &mut self.reads[usize::from(board)];
            *all = all.max(there);
            registers.push(register);
        }
    }

    /// Who waits for one register of a board waits for all.
    pub(super) fn wait(&mut self, register: u32, readable: &mut [f64]) {
        let Some(board) = self.of[register as usize] else { return };
        let (there, registers) = &mut self.reads[usize::from(board)];
        for register in registers.drain(..) {
            let of = &mut self.of[register as usize];
            if *of == Some(board) {
                (*of, readable[register as usize]) = (None, *there);
            }
        }
        *there = 0.0;
    }
}
