//! Commands of mathematics and of letters, as what they print.

/// What a command prints.
pub(super) fn sign(name: &str) -> Option<&'static str> {
    Some(match name {
        "gets" | "leftarrow" | "coloneqq" | "longleftarrow" | "Leftarrow" | "coloneq"
        | "assign" => " ← ",
        "leq" | "le" | "leqslant" | "leqq" => " ≤ ",
        "geq" | "ge" | "geqslant" | "geqq" => " ≥ ",
        "neq" | "ne" => " ≠ ",
        "cdot" | "times" | "ast" | "star" => " × ",
        "div" => " / ",
        "lfloor" => "⌊",
        "rfloor" => "⌋",
        "lceil" => "⌈",
        "rceil" => "⌉",
        "infty" => "∞",
        "setminus" => " ∖ ",
        "emptyset" | "varnothing" => "∅",
        "langle" => "⟨",
        "rangle" => "⟩",
        "ldots" | "dots" | "cdots" | "dotsc" | "dotsb" => "...",
        "in" => " ∈ ",
        "land" | "wedge" => " and ",
        "lor" | "vee" => " or ",
        "lnot" | "neg" => " not ",
        "bmod" | "mod" => " mod ",
        "oplus" | "xor" => " xor ",
        "ll" => " << ",
        "gg" => " >> ",
        "lt" => " < ",
        "gt" => " > ",
        "log" => " log",
        "lg" => " lg",
        "min" => "min",
        "max" => "max",
        "sum" => "sum",
        "prod" => "prod",
        "sqrt" => "sqrt",
        "leftrightarrow" | "Leftrightarrow" => " ↔ ",
        "pi" => "π",
        "forall" => " for all ",
        "mid" | "vert" | "lvert" | "rvert" => "|",
        // Of a vector it is no length of an array.
        "Vert" | "lVert" | "rVert" | "|" => "‖",
        "quad" | "qquad" | ">" | " " | "," | ";" | ":" | "!" | "enspace" | "thinspace" | "\n" => {
            " "
        }
        "_" => "_",
        "#" => "#",
        "&" => " & ",
        "{" => "{",
        "}" => "}",
        "%" => " mod ",
        "ell" => "ℓ",
        "alpha" => "alpha",
        "beta" => "beta",
        "gamma" => "gamma",
        "delta" => "delta",
        "epsilon" | "varepsilon" => "epsilon",
        "zeta" => "zeta",
        "eta" => "eta",
        "theta" => "theta",
        "kappa" => "kappa",
        "lambda" => "lambda",
        "mu" => "mu",
        "nu" => "nu",
        "xi" => "xi",
        "rho" => "rho",
        "sigma" => "sigma",
        "tau" => "tau",
        "phi" | "varphi" => "phi",
        "chi" => "chi",
        "psi" => "psi",
        "omega" => "omega",
        "Delta" => "Delta",
        "Sigma" => "Sigma",
        "Omega" => "Omega",
        "Gamma" => "Gamma",
        "Lambda" => "Lambda",
        "Phi" => "Phi",
        "KwTo" | "To" | "TO" | "To*" => " to ",
        "Downto" | "DownTo" | "KwDownTo" => " downto ",
        "By" => " by ",
        "And" | "AND" | "KwAnd" => " and ",
        "Or" | "OR" => " or ",
        "Not" | "NOT" => " not ",
        "True" | "TRUE" | "KwTrue" => "true",
        "False" | "FALSE" => "false",
        "Null" | "Nil" | "NIL" => "NIL",
        "isequal" => " = ",
        "equiv" => " ≡ ",
        "exp" => "exp",
        "twodots" | "subarr" => "..",
        "SHIFTLEFT" => " << ",
        "prime" => "'",
        "triangleright" | "rhd" => "▷ ",
        // Around mathematics.
        "(" | ")" | "[" | "]" => "",
        _ => return None,
    })
}

/// Commands that print nothing, and how many arguments go with them.
pub(super) fn nothing(name: &str) -> Option<usize> {
    Some(match name {
        "label" | "tag" | "caption" | "usepackage" | "documentclass" | "vspace" | "hspace"
        | "footnote" | "cite" | "ref" | "color" | "algsetup" | "SetAlgoLined" | "setcounter"
        | "textcolor" | "title" | "author" | "hypersetup" | "bibliographystyle"
        | "bibliography" | "SetKwInOut" | "SetKwInput" | "SetKwFunction" | "input"
        | "algnewcommand" | "lstset" | "begin" | "end" | "renewcommand" | "section"
        | "subsection" => 1,
        "left" | "right" | "bigl" | "bigr" | "big" | "Big" | "Bigl" | "Bigr" | "displaystyle"
        | "limits" | "nolimits" | "small" | "footnotesize" | "scriptsize" | "normalsize"
        | "centering" | "noindent" | "par" | "DontPrintSemicolon" | "LinesNumbered"
        | "LinesNotNumbered" | "SetAlgoVlined" | "SetAlgoNoLine" | "BlankLine" | "nonumber"
        | "notag" | "hfill" | "bf" | "bfseries" | "itshape" | "sffamily" | "ttfamily"
        | "scshape" | "it" | "tt" | "sc" | "rm" | "em" | "selectfont" | "medskip" | "smallskip"
        | "bigskip" | "maketitle" | "RestyleAlgo" | "IncMargin" | "DecMargin"
        | "algorithmicindent" | "SetNlSty" | "zi" | "Indp" | "Indm" | "nl" | "newline"
        | "protect" | "relax" | "ensuremath" | "unskip" | "allowbreak" => 0,
        "setlength" | "SetKw" | "SetKwData" | "algrenewcommand" => 2,
        "SetKwFor" | "SetKwIF" => 4,
        _ => return None,
    })
}

/// What a sign above a name adds to it.
pub(super) fn accent(name: &str) -> Option<&'static str> {
    Some(match name {
        "hat" | "widehat" => "hat",
        "tilde" | "widetilde" => "tilde",
        "bar" | "overline" => "bar",
        "dot" => "dot",
        _ => return None,
    })
}

/// Commands that only change how their argument looks.
pub(super) fn is_font(name: &str) -> bool {
    [
        "textbf",
        "mathrel",
        "mathbin",
        "mathord",
        "textit",
        "textsc",
        "texttt",
        "textrm",
        "textsf",
        "emph",
        "text",
        "mathrm",
        "mathbf",
        "mathit",
        "mathsf",
        "mathtt",
        "mathcal",
        "boldsymbol",
        "bm",
        "mbox",
        "operatorname",
        "proc",
        "id",
        "func",
        "const",
        "textnormal",
        "kw",
        "underline",
        "vec",
        "ensuremath",
        "textup",
        "FuncSty",
        "ArgSty",
        "DataSty",
        "KwSty",
        "Procname",
        "textproc",
        "var",
        "ident",
        "mathbb",
        "hbox",
        "smash",
        "lowercase",
    ]
    .contains(&name)
}
