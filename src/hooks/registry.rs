//! The callbacks of each hook, and the runs that are under way.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use serde::{Deserialize, Serialize};

use super::name::{NameError, check_hook_name, check_namespace};

/// Actions and filters are two stores: a name in one says nothing about the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Kind {
    /// Callbacks that are notified of an event.
    Action,
    /// Callbacks that change a value.
    Filter,
}

/// The hook whose callbacks run after those of every other hook of their kind.
const ALL: &str = "all";

/// The action that runs when a callback was added. `all` does not see it.
const HOOK_ADDED: &str = "hookAdded";

/// A callback that the host holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Callback {
    /// The number under which the host holds it.
    pub number: u32,
    /// Who added it.
    pub namespace: String,
    /// Lower runs first; of equals, the one that was added first.
    pub priority: f64,
}

/// The callbacks of one hook. Runs share the list, so that a change takes effect in a run that is
/// under way.
type List = Rc<RefCell<Vec<Callback>>>;

#[derive(Default)]
struct Hook {
    list: List,
    /// How often it was run, runs without callbacks too.
    runs: u64,
}

/// Where a run is: the callback that was given last, in a list that may change under it.
struct Position {
    list: List,
    /// One more than the index of the callback that was given last; 0 before the first.
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

/// Names a run that is under way.
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
    /// In the order in which they were started.
    runs: Vec<(RunId, Run)>,
    next_run: u32,
    /// Whether hooks were run or became known since the counts of runs were reported.
    is_unreported: bool,
}

impl Registry {
    /// Adds a callback to a hook, behind those of the same priority. The same one may be added
    /// many times. A callback whose place is behind the one that runs now runs in the same run.
    pub fn add(&mut self, kind: Kind, name: &str, callback: Callback) -> Result<(), NameError> {
        check_namespace(&callback.namespace)?;
        check_hook_name(name)?;
        let list = Rc::clone(&self.hook(kind, name).list);
        // A priority that is not a number comes before everything that is there.
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

    /// Removes the callbacks that a namespace added to a hook; one that has not run yet does not
    /// run. Returns their numbers, or `None` where the hook was never added to nor run.
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

    /// Removes all callbacks of a hook; a run that is under way still calls them. Returns their
    /// numbers, or `None` where the hook was never added to nor run.
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

    /// Without a namespace: whether the hook was ever added to or run. With one: whether it has a
    /// callback of that namespace now.
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

    /// How many callbacks a run of the hook would call now, those of `all` included.
    pub fn count(&self, kind: Kind, name: &str) -> usize {
        let callbacks_of = |name: &str| {
            let mut hooks = self.hooks.iter();
            let hook =
                hooks.find(|((hook_kind, hook_name), _)| *hook_kind == kind && hook_name == name);
            hook.map_or(0, |(_, hook)| hook.list.borrow().len())
        };
        callbacks_of(name) + if sees_all(name) { callbacks_of(ALL) } else { 0 }
    }

    /// How often a hook was run, runs without callbacks and runs that failed too.
    pub fn did(&self, kind: Kind, name: &str) -> Result<u64, NameError> {
        check_hook_name(name)?;
        let hook = self.hooks.get(&(kind, name.to_owned()));
        Ok(hook.map_or(0, |hook| hook.runs))
    }

    /// Whether a run of the hook, or of any hook of the kind, is under way.
    pub fn doing(&self, kind: Kind, name: Option<&str>) -> bool {
        self.runs
            .iter()
            .any(|(_, run)| run.kind == kind && name.is_none_or(|name| run.name == name))
    }

    /// The hook of the run that was started last and is not over.
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

    /// The callback that a run calls next; `None` where the run is over, or not known.
    pub fn next(&mut self, run: RunId) -> Option<Callback> {
        let (_, run) = self.runs.iter_mut().find(|(id, _)| *id == run)?;
        run.of_hook.next().or_else(|| run.all.as_mut()?.next())
    }

    /// Ends a run, wherever it is.
    pub fn end(&mut self, run: RunId) {
        self.runs.retain(|(id, _)| *id != run);
    }

    /// Reports how often each known hook was run, as JSON, for [`Registry::restore_runs`] of the
    /// instance that may take this one's place; `None` when nothing changed since the last report.
    pub fn report_runs(&mut self) -> Option<serde_json::Result<String>> {
        if !std::mem::take(&mut self.is_unreported) {
            return None;
        }
        let hooks = self.hooks.iter();
        let runs = hooks.map(|((kind, name), hook)| (kind, name, hook.runs));
        Some(serde_json::to_string(&Vec::from_iter(runs)))
    }

    /// Counts the runs of another instance as this one's.
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

    /// Where runs are in a list.
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
