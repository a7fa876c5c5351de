//! Programs in MATLAB, Fortran and Julia: loops over ranges, blocks that `end` closes.

mod copy;
mod declaration;
mod jumps;
mod loops;
mod names;
mod program;
mod r;
mod shorthand;
mod statement;
mod words;

use std::collections::HashMap;

use self::names::Scalars;
pub(super) use self::words::is_function;
use super::output::{LoopVariable, Output, words};
use super::pragma::Parallel;
use super::r::is_r;
use super::reduction::{Iterations, Reduction};
use super::scan::{Dialect, SourceLine, scan};
use super::token::{Token, position, split};
use super::tree::{Family, Known, Tree, expression, written};
use crate::diagnostic::Diagnostic;
use crate::parser::foreign;

type Result<T> = std::result::Result<T, Diagnostic>;

/// Deeper than any listing is read.
const DEEPEST: usize = 150;

pub(super) struct Reader {
    pub(super) out: Output,
    known: Known,
    /// Statements, in order.
    lines: Vec<Vec<Token>>,
    at: usize,
    /// All lines of the text, which say how arrays are used.
    all: Vec<Vec<Token>>,
    is_fortran: bool,
    /// What the algorithm gives back: MATLAB names it in the head.
    results: Vec<Token>,
    scalars: Scalars,
    /// Arguments, in order.
    arguments: Vec<Token>,
    /// In a procedure: how many results it has.
    procedure: Option<usize>,
    /// What a pragma says of the loop below.
    parallel: Option<Parallel>,
    /// Scalars into which the loops around combine their iterations.
    reductions: Vec<(Iterations, Vec<Reduction>)>,
    /// The blocks that are open, by the word that opened each, and how many levels it made.
    open: Vec<(String, usize)>,
    /// Arrays that are copies, and the one whose length they have.
    same: HashMap<String, String>,
}

/// A program in MATLAB, Fortran or Julia.
///
/// # Errors
/// What is no statement of those that are read.
pub(super) fn read(text: &str) -> Result<Output> {
    let lower = text.to_ascii_lowercase();
    let has = |words: &[&str]| {
        words.iter().any(|word| lower.lines().any(|line| line.trim_start().starts_with(word)))
    };
    let is_fortran = !is_r(text)
        && has(&[
            "do ",
            "subroutine",
            "integer ",
            "integer,",
            "integer:",
            "real ",
            "real,",
            "real:",
            "end do",
            "enddo",
            "program ",
            "implicit",
        ]);
    let fixed = is_fortran.then(|| jumps::free(text)).flatten();
    let mut lines = scan(fixed.as_deref().unwrap_or(text), Dialect::Matrix)?;
    let is_r = is_r(text);
    let mut out = Output::default();
    if is_r {
        super::patterns::of_r(&mut lines, &mut out);
        lines = r::in_julia(lines);
    }
    let comments = lines.iter().flat_map(|it| it.comments.clone());
    let (pragmas, comments): (Vec<Token>, Vec<Token>) = comments.partition(is_pragma);
    let mut reader = Reader {
        out: Output::with_comments(comments),
        known: Known { cuts: is_fortran, ..Known::default() },
        lines: vec![],
        at: 0,
        all: vec![],
        is_fortran,
        results: vec![],
        scalars: Scalars::default(),
        arguments: vec![],
        procedure: None,
        parallel: None,
        reductions: vec![],
        open: vec![],
        same: HashMap::new(),
    };
    reader.out.hints.first = Some(1);
    reader.out.hints.said = out.hints.said;
    super::patterns::of_programs(&mut lines, is_fortran, &mut reader.out);
    reader.split_lines(lines, pragmas);
    if is_fortran {
        reader.lower_functions();
    }
    reader.known.family = if is_r { Family::Julia } else { reader.family(text) };
    if is_r {
        reader.says_r();
    }
    reader.out.loop_variable = match reader.known.family {
        Family::Fortran => Some(LoopVariable::Beyond),
        Family::Matlab => Some(LoopVariable::Kept),
        Family::Julia => Some(LoopVariable::Own),
        Family::Open => None,
    };
    reader.close_labels();
    if is_fortran {
        reader.implicit();
        reader.names_of_loops();
        reader.jumps();
    }
    reader.all = reader.lines.clone();
    reader.shorthand();
    reader.find_arrays();
    reader.program()?;
    reader.finish()?;
    reader.out.hints.functions = std::mem::take(&mut reader.known.uses);
    reader.out.end();
    Ok(reader.out)
}

fn is_pragma(comment: &Token) -> bool {
    let words = comment.text.trim_start_matches(['/', ' ', '$']).to_ascii_lowercase();
    words.starts_with("omp ") || words.starts_with("acc ")
}

impl Reader {
    /// Statements of each line apart, with the pragmas before them.
    fn split_lines(&mut self, lines: Vec<SourceLine>, pragmas: Vec<Token>) {
        let mut pragmas = pragmas.into_iter().peekable();
        for line in lines {
            let Some(first) = line.tokens.first() else { continue };
            while let Some(pragma) = pragmas.next_if(|it| it.span.start < first.span.start) {
                self.lines.push(vec![
                    pragma.with(format!(
                        "#pragma {}",
                        pragma.text.trim_start_matches(['/', ' ', '$'])
                    )),
                ]);
            }
            for part in split(&line.tokens, &[";"]) {
                if !part.is_empty() {
                    self.lines.push(part.to_vec());
                }
            }
        }
    }

    fn statements(&mut self) -> Result<()> {
        while self.at < self.lines.len() {
            let tokens = std::mem::take(&mut self.lines[self.at]);
            self.at += 1;
            self.statement(&tokens)?;
            if self.open.len() > DEEPEST {
                return Err(Diagnostic::new(
                    tokens[0].span,
                    format!("nested more than {DEEPEST} deep"),
                )
                .help("split it"));
            }
        }
        match self.open.last() {
            Some((word, _)) if word != "function" => {
                let place = self.out.lines.last().and_then(|it| it.tokens.last().cloned());
                let span = place.map_or_else(Default::default, |it| it.span);
                Err(Diagnostic::new(span, format!("a `{word}` is not closed"))
                    .help("write its `end`"))
            }
            _ => Ok(()),
        }
    }

    fn tree(&mut self, tokens: &[Token], place: &Token) -> Result<Tree> {
        expression(tokens, Dialect::Matrix, &mut self.known, place.span)
    }

    fn value(&mut self, tokens: &[Token], place: &Token) -> Result<Vec<Token>> {
        Ok(written(&self.tree(tokens, place)?))
    }

    fn begin(&mut self, word: &Token, levels: usize) {
        self.open.push((word.text.to_ascii_lowercase(), levels));
        self.out.depth += levels;
    }

    /// `break`, which leaves all loops of one head.
    fn leave(&mut self, word: &Token) -> Result<()> {
        let is_loop = |it: &&(String, usize)| matches!(&*it.0, "for" | "while" | "do" | "#repeat");
        if self.open.iter().rev().find(is_loop).is_some_and(|it| it.1 > 1) {
            return Err(Diagnostic::new(word.span, "this leaves both loops of its head")
                .help("write a `for` for each of them, and leave them by a flag"));
        }
        self.out.line(vec![word.with("break")]);
        Ok(())
    }

    fn end(&mut self, word: &Token) -> Result<()> {
        let Some((opened, levels)) = self.open.pop() else {
            return Err(
                Diagnostic::new(word.span, "this `end` closes nothing").help("leave it out")
            );
        };
        if opened == "function" && self.at < self.lines.len() {
            let text = "what stands behind the first algorithm: left out".to_owned();
            self.out.hints.said.push((self.lines[self.at][0].clone(), text));
            self.at = self.lines.len();
        }
        self.out.depth -= levels;
        Ok(())
    }

    fn statement(&mut self, tokens: &[Token]) -> Result<()> {
        let word = &tokens[0];
        let lower = word.text.to_ascii_lowercase();
        let is_value =
            tokens.get(1).is_some_and(|it| it.is_any(&["=", ".="])) && !lower.starts_with("end");
        if is_value {
            return self.simple(tokens);
        }
        match lower.as_str() {
            pragma if pragma.starts_with("#pragma") => self.pragma(word),
            "end" | "enddo" | "endif" | "endfor" | "endwhile" | "endfunction" => {
                self.end(word)?;
                // `end, end`
                match &tokens[1..] {
                    [comma, rest @ ..] if comma.is(",") && !rest.is_empty() => self.statement(rest),
                    _ => Ok(()),
                }
            }
            "function" | "subroutine" | "program" => self.head(word, &tokens[1..]),
            "integer" | "real" | "double" | "logical" | "pure" | "elemental" | "recursive"
                if position(tokens, &["function", "subroutine"]).is_some_and(|at| at <= 3) =>
            {
                self.typed_head(tokens)
            }
            "implicit" => names::implicit_rule(tokens),
            "use" | "clear" | "clc" | "close" | "using" | "import" | "intrinsic" | "external"
            | "save" => Ok(()),
            "const" => self.statement(&tokens[1..]),
            "integer" | "real" | "double" | "logical" | "dimension" => self.declaration(tokens),
            "for" | "parfor" | "do" | "forall" => self.for_loop(tokens),
            decorator if decorator.starts_with('@') => self.decorated(tokens),
            "threads" if tokens.len() > 3 && tokens[1].is(".") => self.decorated(&tokens[2..]),
            "while" => {
                let condition = self.condition(&tokens[1..], word)?;
                self.out.line(words(word, "while {} do", &[&condition]));
                self.begin(word, 1);
                Ok(())
            }
            "if" => self.branch(tokens),
            "else" | "elseif" if self.out.depth == 0 => {
                Err(Diagnostic::new(word.span, "this belongs to no `if`")
                    .help("write the `if` above it"))
            }
            "else" | "elseif" => self.other_branch(tokens),
            "break" | "exit" if tokens.len() == 1 => self.leave(word),
            "return" => self.return_statement(word, &tokens[1..]),
            "print" | "println" | "disp" | "fprintf" | "printf" | "write" | "display" | "cat" => {
                self.shows(word, tokens)
            }
            "read" if self.is_fortran && self.out.depth == 0 => Ok(()),
            "call" => {
                let call = self.value(&tokens[1..], word)?;
                self.out.line(call);
                Ok(())
            }
            "cycle" | "exit" if tokens.len() == 2 && tokens[1].is_name() => {
                let what = format!("the loop `{}` is not the innermost one", tokens[1].text);
                Err(Diagnostic::new(tokens[1].span, what)
                    .help("set a flag, leave the inner loop, and ask for the flag behind it"))
            }
            "continue" | "cycle" => {
                self.out.line(vec![word.with("continue")]);
                Ok(())
            }
            "#cells" => {
                self.cells(word);
                Ok(())
            }
            "#combine" => {
                self.combine(word);
                Ok(())
            }
            "#repeat" => {
                self.out.line(vec![word.with("repeat")]);
                self.begin(word, 1);
                Ok(())
            }
            "#until" => {
                let condition = self.condition(&tokens[1..], word)?;
                self.end(word)?;
                self.out.line(words(word, "until {}", &[&condition]));
                Ok(())
            }
            "select" | "switch" if tokens.len() > 1 => self.select(word, &tokens[1..]),
            "case" | "otherwise" => self.case(word, &tokens[1..]),
            "endselect" | "endswitch" | "endwhere" => self.end(word),
            "try" | "goto" | "next" if !tokens.get(1).is_some_and(|it| it.is("[")) => {
                let other =
                    ("this statement has no counterpart", "write loops, branches and assignments");
                let (what, help) = foreign(&lower).unwrap_or(other);
                Err(Diagnostic::new(word.span, what).help(help))
            }
            _ => self.simple(tokens),
        }
    }

    fn finish(&mut self) -> Result<()> {
        self.out.depth = 0;
        let given_back = std::mem::take(&mut self.scalars.given_back);
        let results = [std::mem::take(&mut self.results), given_back].concat();
        if let Some(word) = results.first().cloned() {
            self.give(&word, &results, true)?;
        }
        for name in std::mem::take(&mut self.arguments) {
            match self.known.arrays.contains(&name.text) {
                true => self.out.hints.array(&Token::variable(&name)).is_argument = true,
                false if self.is_made(&name) => {}
                false => self.out.hints.arguments.push(Token::variable(&name)),
            }
        }
        Ok(())
    }

    fn condition(&mut self, tokens: &[Token], place: &Token) -> Result<Vec<Token>> {
        let tokens = match tokens {
            [rest @ .., comma] if comma.is(",") => rest,
            all => all,
        };
        let tree = self.tree(tokens, place)?;
        Ok(written(&self.truth(tree)))
    }
}
