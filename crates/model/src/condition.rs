//! Conditional visibility (specification, "Condition"; contract, section 3).

use serde::{Deserialize, Serialize};
use serde_json::Value;

wire_enum! {
    /// The comparison of the controlling field with the rule's value.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[allow(missing_docs, reason = "the variants are the contract's names")]
    #[cfg_attr(feature = "typescript", derive(tsify::Tsify), serde(rename_all = "snake_case"))]
    pub enum Operator {
        Equals = "equals",
        NotEquals = "not_equals",
        Contains = "contains",
        NotContains = "not_contains",
        StartsWith = "starts_with",
        EndsWith = "ends_with",
        IsEmpty = "is_empty",
        IsNotEmpty = "is_not_empty",
        GreaterThan = "greater_than",
        LessThan = "less_than",
        GreaterOrEqual = "greater_or_equal",
        LessOrEqual = "less_or_equal",
        In = "in",
        NotIn = "not_in",
        Matches = "matches",
        Before = "before",
        After = "after",
        Checked = "checked",
        NotChecked = "not_checked",
    }
}

impl Operator {
    /// Parses a wire name, or one of the signs `=`, `!=`, `>`, `<`, `>=`, `<=`.
    pub fn read(name: &str) -> Option<Operator> {
        Operator::parse(match name {
            "=" => "equals",
            "!=" => "not_equals",
            ">" => "greater_than",
            "<" => "less_than",
            ">=" => "greater_or_equal",
            "<=" => "less_or_equal",
            other => other,
        })
    }

    /// Whether the operator compares with a value.
    pub const fn takes_value(self) -> bool {
        !matches!(
            self,
            Operator::IsEmpty | Operator::IsNotEmpty | Operator::Checked | Operator::NotChecked
        )
    }

    /// Whether the operator compares with a list of values.
    pub const fn takes_list(self) -> bool {
        matches!(self, Operator::In | Operator::NotIn)
    }

    /// Whether the operator compares the order of two numbers or dates.
    pub const fn compares_sizes(self) -> bool {
        matches!(
            self,
            Operator::GreaterThan
                | Operator::LessThan
                | Operator::GreaterOrEqual
                | Operator::LessOrEqual
        )
    }
}

/// The effect of a rule that holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
pub enum ConditionAction {
    /// The field is shown when the rule holds.
    #[default]
    Show,
    /// The field is shown when the rule does not hold.
    Hide,
}

impl ConditionAction {
    fn is_show(&self) -> bool {
        *self == ConditionAction::Show
    }
}

/// One comparison with another field.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
pub struct ConditionRule {
    /// The name of the controlling field.
    pub field: String,
    /// The comparison.
    pub operator: Operator,
    /// The value to compare with: text, number, boolean, or a list for `in` and `not_in`; null for operators
    /// without a value.
    #[serde(default)]
    #[cfg_attr(feature = "typescript", tsify(type = "unknown"))]
    pub value: Value,
    /// Whether the rule is inverted.
    #[serde(default, skip_serializing_if = "ConditionAction::is_show")]
    pub action: ConditionAction,
}

/// Several conditions, of which at least one or all must hold.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
pub enum ConditionGroup {
    /// At least one condition must hold.
    Any(Vec<Condition>),
    /// All conditions must hold.
    All(Vec<Condition>),
}

/// A rule or a nested group.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged, try_from = "Members")]
#[cfg_attr(feature = "typescript", derive(tsify::Tsify))]
pub enum Condition {
    /// A comparison.
    Rule(ConditionRule),
    /// A group, with an optional `action` that inverts it.
    Group {
        /// `any` or `all`.
        #[serde(flatten)]
        group: ConditionGroup,
        /// Whether the group is inverted.
        #[serde(default, skip_serializing_if = "ConditionAction::is_show")]
        action: ConditionAction,
    },
}

/// The JSON members of a rule or a group, before conversion to [`Condition`].
#[derive(Deserialize)]
struct Members {
    field: Option<String>,
    operator: Option<Operator>,
    #[serde(default)]
    value: Value,
    #[serde(default)]
    action: ConditionAction,
    any: Option<Vec<Condition>>,
    all: Option<Vec<Condition>>,
}

impl TryFrom<Members> for Condition {
    type Error = &'static str;

    fn try_from(members: Members) -> Result<Condition, &'static str> {
        let any = members.any.map(ConditionGroup::Any);
        let group = any.or(members.all.map(ConditionGroup::All));
        let (value, action) = (members.value, members.action);
        match (members.field.zip(members.operator), group) {
            (Some((field, operator)), _) => Ok(Condition::Rule(ConditionRule {
                field,
                operator,
                value,
                action,
            })),
            (None, Some(group)) => Ok(Condition::Group { group, action }),
            (None, None) => Err("a condition is a rule, or a group of them"),
        }
    }
}
