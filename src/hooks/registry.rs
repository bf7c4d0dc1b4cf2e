//! The callbacks of each hook, and the active runs.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use serde::{Deserialize, Serialize};

use super::name::{NameError, check_hook_name, check_namespace};

/// The kind of a hook. Actions and filters of the same name are independent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Kind {
    /// Callbacks that are notified of an event.
    Action,
    /// Callbacks that change a value.
    Filter,
}

/// The hook whose callbacks run whenever another hook of the same kind runs, after that hook's callbacks.
const ALL: &str = "all";

/// The action that runs when a callback was added. Callbacks of `all` are not called for it.
const HOOK_ADDED: &str = "hookAdded";

/// A callback of the host.
#[derive(Clone, Debug, PartialEq)]
pub struct Callback {
    /// The host's number for the callback.
    pub number: u32,
    /// The namespace of the plugin that added the callback.
    pub namespace: String,
    /// The priority: lower runs first; callbacks of equal priority run in the order of their addition.
    pub priority: f64,
}

/// The callbacks of one hook. Runs share the list, so that changes take effect in active runs.
type List = Rc<RefCell<Vec<Callback>>>;

#[derive(Default)]
struct Hook {
    list: List,
    /// The number of runs, including runs without callbacks.
    runs: u64,
}

/// The position of a run in a list, which may change during the run.
struct Position {
    list: List,
    /// The index of the next callback to call.
    called: usize,
}

impl Position {
    fn first(list: &List) -> Position {
        let list = Rc::clone(list);
        Position { list, called: 0 }
    }

    fn next(&mut self) -> Option<Callback> {
        let callback = self.list.borrow().get(self.called)?.clone();
        self.called += 1;
        Some(callback)
    }
}

/// The id of an active run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RunId(pub u32);

struct Run {
    kind: Kind,
    name: String,
    of_hook: Position,
    all: Option<Position>,
}

/// The hooks of an instance.
#[derive(Default)]
pub struct Registry {
    hooks: BTreeMap<(Kind, String), Hook>,
    /// The active runs, in the order of their start.
    runs: Vec<(RunId, Run)>,
    next_run: u32,
    /// Whether the counts of runs have changed since the last report.
    is_unreported: bool,
}

impl Registry {
    /// Adds a callback to a hook, after the callbacks of the same priority. The same callback may be added repeatedly.
    /// An active run still calls the new callback if its place comes after the current one.
    pub fn add(&mut self, kind: Kind, name: &str, callback: Callback) -> Result<(), NameError> {
        check_namespace(&callback.namespace)?;
        check_hook_name(name)?;
        let list = Rc::clone(&self.hook(kind, name).list);
        // A priority of NaN comes first.
        let behind = |other: &Callback| callback.priority >= other.priority;
        let place = list.borrow().iter().rposition(behind);
        let place = place.map_or(0, |index| index + 1);
        for position in self.positions(&list) {
            if position.called > place {
                position.called += 1;
            }
        }
        list.borrow_mut().insert(place, callback);
        Ok(())
    }

    /// Removes a namespace's callbacks from a hook; active runs no longer call them. Returns their numbers, or `None`
    /// for an unknown hook.
    pub fn remove(
        &mut self,
        kind: Kind,
        name: &str,
        namespace: &str,
    ) -> Result<Option<Vec<u32>>, NameError> {
        check_hook_name(name)?;
        check_namespace(namespace)?;
        let Some(hook) = self.hooks.get(&(kind, name.to_owned())) else {
            return Ok(None);
        };
        let list = Rc::clone(&hook.list);
        let callbacks = std::mem::take(&mut *list.borrow_mut());
        let (removed, kept): (Vec<_>, Vec<_>) = callbacks
            .into_iter()
            .enumerate()
            .partition(|(_, callback)| callback.namespace == namespace);
        for position in self.positions(&list) {
            let passed = |(index, _): &&(usize, Callback)| *index < position.called;
            position.called -= removed.iter().filter(passed).count();
        }
        *list.borrow_mut() = kept.into_iter().map(|(_, callback)| callback).collect();
        let numbers = removed.into_iter().map(|(_, callback)| callback.number);
        Ok(Some(numbers.collect()))
    }

    /// Removes all callbacks of a hook; active runs still call them. Returns their numbers, or `None` for an unknown
    /// hook.
    pub fn remove_all(&mut self, kind: Kind, name: &str) -> Result<Option<Vec<u32>>, NameError> {
        check_hook_name(name)?;
        let Some(hook) = self.hooks.get_mut(&(kind, name.to_owned())) else {
            return Ok(None);
        };
        let old = std::mem::take(&mut hook.list);
        let numbers = old
            .borrow()
            .iter()
            .map(|callback| callback.number)
            .collect();
        Ok(Some(numbers))
    }

    /// With a namespace: whether the hook has a callback of that namespace. Without one: whether the hook is known,
    /// because it has run or has had callbacks.
    pub fn has(&self, kind: Kind, name: &str, namespace: Option<&str>) -> bool {
        let hook = self.hooks.get(&(kind, name.to_owned()));
        hook.is_some_and(|hook| {
            let has = |namespace| {
                let list = hook.list.borrow();
                list.iter().any(|callback| callback.namespace == namespace)
            };
            namespace.is_none_or(has)
        })
    }

    /// Whether any hook has callbacks.
    pub fn has_any(&self) -> bool {
        let mut hooks = self.hooks.values();
        hooks.any(|hook| !hook.list.borrow().is_empty())
    }

    /// The number of callbacks that a run of the hook would call, including the callbacks of `all`.
    pub fn count(&self, kind: Kind, name: &str) -> usize {
        let callbacks_of = |name: &str| {
            let mut hooks = self.hooks.iter();
            let hook =
                hooks.find(|((hook_kind, hook_name), _)| *hook_kind == kind && hook_name == name);
            hook.map_or(0, |(_, hook)| hook.list.borrow().len())
        };
        callbacks_of(name) + if sees_all(name) { callbacks_of(ALL) } else { 0 }
    }

    /// The number of a hook's runs, including runs without callbacks and failed runs.
    pub fn did(&self, kind: Kind, name: &str) -> Result<u64, NameError> {
        check_hook_name(name)?;
        let hook = self.hooks.get(&(kind, name.to_owned()));
        Ok(hook.map_or(0, |hook| hook.runs))
    }

    /// Whether a run of the hook is active; without a name, a run of any hook of this kind.
    pub fn doing(&self, kind: Kind, name: Option<&str>) -> bool {
        self.runs
            .iter()
            .any(|(_, run)| run.kind == kind && name.is_none_or(|name| run.name == name))
    }

    /// The hook of the active run that was started last.
    pub fn current(&self, kind: Kind) -> Option<&str> {
        let mut runs = self.runs.iter().rev();
        runs.find(|(_, run)| run.kind == kind)
            .map(|(_, run)| run.name.as_str())
    }

    /// Starts a run.
    pub fn begin(&mut self, kind: Kind, name: &str) -> RunId {
        self.is_unreported = true;
        let hook = self.hook(kind, name);
        hook.runs += 1;
        let of_hook = Position::first(&hook.list);
        let all = self.hooks.get(&(kind, ALL.to_owned()));
        let all = all.filter(|_| sees_all(name));
        let run = Run {
            kind,
            name: name.to_owned(),
            of_hook,
            all: all.map(|hook| Position::first(&hook.list)),
        };
        let id = RunId(self.next_run);
        self.next_run = self.next_run.wrapping_add(1);
        self.runs.push((id, run));
        id
    }

    /// The next callback of a run; `None` if the run has ended or is unknown.
    pub fn next(&mut self, run: RunId) -> Option<Callback> {
        let (_, run) = self.runs.iter_mut().find(|(id, _)| *id == run)?;
        run.of_hook.next().or_else(|| run.all.as_mut()?.next())
    }

    /// Ends a run.
    pub fn end(&mut self, run: RunId) {
        self.runs.retain(|(id, _)| *id != run);
    }

    /// Returns the numbers of runs of all known hooks as JSON, for [`Registry::restore_runs`] of the instance that
    /// replaces this one; `None` if nothing has changed since the last call.
    pub fn report_runs(&mut self) -> Option<serde_json::Result<String>> {
        if !std::mem::take(&mut self.is_unreported) {
            return None;
        }
        let hooks = self.hooks.iter();
        let runs = hooks.map(|((kind, name), hook)| (kind, name, hook.runs));
        Some(serde_json::to_string(&Vec::from_iter(runs)))
    }

    /// Adds the numbers of runs of a replaced instance.
    pub fn restore_runs(&mut self, json: &str) -> serde_json::Result<()> {
        let runs: Vec<(Kind, String, u64)> = serde_json::from_str(json)?;
        for (kind, name, runs) in runs {
            self.hook(kind, &name).runs += runs;
        }
        Ok(())
    }

    fn hook(&mut self, kind: Kind, name: &str) -> &mut Hook {
        self.hooks.entry((kind, name.to_owned())).or_default()
    }

    /// The positions of active runs in a list.
    fn positions(&mut self, list: &List) -> impl Iterator<Item = &mut Position> {
        self.runs
            .iter_mut()
            .flat_map(|(_, run)| std::iter::once(&mut run.of_hook).chain(run.all.as_mut()))
            .filter(|position| Rc::ptr_eq(&position.list, list))
    }
}

fn sees_all(name: &str) -> bool {
    name != ALL && name != HOOK_ADDED
}
