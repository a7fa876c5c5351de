//! What a language with statements on arrays must offer.

use super::Result;
use crate::notation::output::Output;
use crate::notation::token::Token;

/// A reader of a language that has statements on arrays.
pub(in crate::notation) trait ArrayReader {
    /// What it writes.
    fn output(&mut self) -> &mut Output;
    /// From here on this is an array.
    fn know_array(&mut self, name: &Token);
    /// From here on this is true or false.
    fn know_bool(&mut self, name: &Token);
    /// A value as the listing has it.
    fn written(&mut self, tokens: &[Token], place: &Token) -> Result<Vec<Token>>;
    /// A statement on elements.
    fn assign_element(&mut self, target: &[Token], sign: &Token, value: &[Token]) -> Result<()>;
    /// A condition as the listing has it.
    fn written_condition(&mut self, tokens: &[Token], place: &Token) -> Result<Vec<Token>>;
    /// The head of a loop over what its language counts; what follows is inside.
    fn open_loop(&mut self, place: &Token, targets: &[Token], range: &[Token]) -> Result<()>;
    /// Its end.
    fn close_loop(&mut self, place: &Token) -> Result<()>;
    /// Whether a name is an array's.
    fn is_array(&self, name: &Token) -> bool;
    /// Whether the elements of an array are true or false.
    fn is_bool(&self, array: &Token) -> bool;
    /// How many indices an array has.
    fn rank(&self, array: &Token) -> usize;
    /// Whether an array is given.
    fn is_argument(&self, name: &Token) -> bool;
    /// Whether the program itself has a function of that name.
    fn defines(&self, name: &Token) -> bool;
}
