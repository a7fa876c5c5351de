//! Words for the values of a closed set, as the command line, files and JSON have them: each set is
//! spelled once, beside its type.

/// A value that has a word of its own.
pub trait Keyword: Copy + PartialEq + 'static {
    /// Every value, its word, and what it means in a line.
    const WORDS: &'static [(Self, &'static str, &'static str)];

    /// The value's word in [`Self::WORDS`].
    fn word(self) -> &'static str {
        // What a value holds besides has no word.
        let is_self = |it: &Self| std::mem::discriminant(it) == std::mem::discriminant(&self);
        Self::WORDS.iter().find(|it| is_self(&it.0)).map_or("", |it| it.1)
    }

    /// # Errors
    /// What the words are.
    fn from_keyword(text: &str) -> Result<Self, String> {
        Self::WORDS.iter().find(|it| it.1 == text).map(|it| it.0).ok_or_else(|| {
            let words: Vec<&str> = Self::WORDS.iter().map(|it| it.1).collect();
            format!("`{text}` is none of {}", words.join(", "))
        })
    }
}

/// The question whether the nearest of these names is meant, if one is near.
#[doc(hidden)]
pub fn suggestion(name: &str, names: impl Iterator<Item = &'static str>) -> String {
    let name = name.to_lowercase();
    let near = |it: &'static str| (strsim::jaro_winkler(&name, it), it);
    match names.map(near).max_by(|a, b| a.0.total_cmp(&b.0)) {
        Some((nearness, name)) if nearness > 0.8 => format!("did you mean `{name}`? Or "),
        _ => String::new(),
    }
}

/// Has a type stand in files and JSON as the text that `Display` and `FromStr` know.
#[doc(hidden)]
#[macro_export]
macro_rules! as_text {
    ($type:ty) => {
        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = <String as serde::Deserialize>::deserialize(deserializer)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }
    };
}

/// Gives an enum its words, for [`Keyword`], `Display`, `FromStr` and serde.
#[doc(hidden)]
#[macro_export]
macro_rules! keywords {
    ($type:ident { $($variant:ident $(($held:expr))? $word:literal $about:literal)* }) => {
        impl $crate::keyword::Keyword for $type {
            const WORDS: &'static [(Self, &'static str, &'static str)] =
                &[$((Self::$variant $(($held))?, $word, $about)),*];
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad($crate::keyword::Keyword::word(*self))
            }
        }

        impl std::str::FromStr for $type {
            type Err = String;

            fn from_str(text: &str) -> Result<Self, String> {
                $crate::keyword::Keyword::from_keyword(text)
            }
        }

        $crate::keyword::as_text!($type);
    };
}

pub use {as_text, keywords};
