//! Tokens: how long a text is for a model, and what fits a prompt.
//!
//! ```
//! use ripple_query_api::llm::{pack, tokens};
//! assert_eq!(tokens("def bill(price):", "gpt-4o"), 4);
//! let pieces = ["first piece", "second piece", "third piece"];
//! let packed = pack(pieces, |piece| *piece, 5, "gpt-4o");
//! assert_eq!((packed.kept.len(), packed.left_out), (2, 1));
//! ```

use tiktoken_rs::tokenizer::{Tokenizer, get_tokenizer};

/// Number of tokens of a text in the model's vocabulary; in that of GPT-4o where the model's is not known.
pub fn tokens(text: &str, model: &str) -> usize {
    let tokenizer = get_tokenizer(model).unwrap_or(Tokenizer::O200kBase);
    match tiktoken_rs::bpe_for_tokenizer(tokenizer) {
        Ok(vocabulary) => vocabulary.count_ordinary(text),
        // A vocabulary that is not there: three bytes a token is on the safe side for code.
        Err(_) => text.len().div_ceil(3),
    }
}

/// What [`pack`] kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Packed<T> {
    /// The pieces that fit, in their order.
    pub kept: Vec<T>,
    /// Tokens of all that is kept.
    pub tokens: usize,
    /// Number of pieces that did not fit.
    pub left_out: usize,
}

/// Keeps the pieces that fit a budget of tokens together, the first before the later ones. A piece that is too long does
/// not keep a shorter one behind it out.
pub fn pack<T>(
    pieces: impl IntoIterator<Item = T>,
    text: impl Fn(&T) -> &str,
    budget: usize,
    model: &str,
) -> Packed<T> {
    let mut packed = Packed {
        kept: Vec::new(),
        tokens: 0,
        left_out: 0,
    };
    for piece in pieces {
        // No token is longer than 128 bytes but for runs of spaces: what cannot fit is not counted.
        let left = budget - packed.tokens;
        let size = if text(&piece).len() / LONGEST_TOKEN > left {
            usize::MAX
        } else {
            tokens(text(&piece), model)
        };
        if size > left {
            packed.left_out += 1;
            continue;
        }
        packed.tokens += size;
        packed.kept.push(piece);
    }
    packed
}

/// Bytes of the longest token of the vocabularies in use.
const LONGEST_TOKEN: usize = 128;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_count_by_their_own_vocabulary() {
        let text = "если клиент перестанет";
        assert!(tokens(text, "gpt-4o") < tokens(text, "gpt-4"));
        assert_eq!(tokens(text, "llama3.1"), tokens(text, "gpt-4o"));
        assert_eq!(tokens("", "gpt-4o"), 0);
    }

    #[test]
    fn a_long_piece_does_not_keep_short_ones_out() {
        let long = "word ".repeat(1000);
        let packed = pack(["a", long.as_str(), "b"], |piece| *piece, 10, "gpt-4o");
        assert_eq!(packed.kept, ["a", "b"]);
        assert_eq!((packed.tokens, packed.left_out), (2, 1));
        assert_eq!(pack(["a"], |piece| *piece, 0, "gpt-4o").left_out, 1);
    }
}
