//! The results of calculations.

/// The reason why an expression has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// A value of the wrong type, such as words in a sum.
    Type,
    /// A division by zero, or by a missing answer.
    Division,
    /// A number beyond the range.
    Range,
    /// A day that does not exist.
    Date,
}

/// A value, or the reason why an expression has no value.
pub type Outcome<T> = Result<T, Failure>;
