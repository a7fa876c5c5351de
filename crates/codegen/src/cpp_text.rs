//! Text of C++, and how tightly its operators bind.

/// How tightly C++ binds an operator; larger is tighter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Binding {
    Conditional,
    Or,
    And,
    BitOr,
    BitXor,
    BitAnd,
    Equality,
    Comparison,
    Shift,
    Sum,
    Product,
    Unary,
    Primary,
}

#[derive(Clone)]
pub(super) struct Text {
    pub(super) text: String,
    pub(super) binding: Binding,
    /// C++ may take it for another type of integers than the listing's, as it takes `2` for an int:
    /// in arithmetic that does no harm, a template or an overloaded function must not see it.
    pub(super) loose: bool,
}

impl Text {
    pub(super) fn new(text: impl Into<String>, binding: Binding) -> Self {
        Self { text: text.into(), binding, loose: false }
    }

    pub(super) fn primary(text: impl Into<String>) -> Self {
        Self::new(text, Binding::Primary)
    }

    pub(super) fn call(function: &str, arguments: &[Self]) -> Self {
        let arguments: Vec<&str> = arguments.iter().map(|it| it.text.as_str()).collect();
        Self::primary(format!("{function}({})", arguments.join(", ")))
    }

    /// In a type: a number by its suffix, what else by a cast.
    pub(super) fn cast(self, word: &str) -> Self {
        if word == "long long" && self.text.parse::<i64>().is_ok() {
            return Self::new(self.text + "LL", self.binding);
        }
        Self::new(format!("({word}){}", self.within(Binding::Unary)), Binding::Unary)
    }

    /// In parentheses unless it binds at least as tightly.
    pub(super) fn within(self, binding: Binding) -> String {
        if self.binding >= binding { self.text } else { format!("({})", self.text) }
    }
}
