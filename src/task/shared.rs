//! The state that all tasks of an instance share.

use std::any::{Any, TypeId};
use std::cell::RefCell;
use std::rc::Rc;

use super::Configuration;

/// The shared state of an instance: the host's configuration, and one value of each type that a part of the engine
/// caches or gathers. The state is not durable, since an instance may be replaced at any time.
pub struct Shared {
    configuration: Configuration,
    public_url: RefCell<Rc<str>>,
    state: RefCell<Vec<(TypeId, Rc<dyn Any>)>>,
}

impl Shared {
    /// The shared state of a new instance.
    pub fn new(configuration: Configuration) -> Shared {
        Shared {
            public_url: RefCell::new(configuration.public_url.as_str().into()),
            configuration,
            state: RefCell::default(),
        }
    }

    /// The host's configuration.
    pub fn configuration(&self) -> &Configuration {
        &self.configuration
    }

    /// The site's public address, without a trailing slash; empty for none.
    pub fn public_url(&self) -> Rc<str> {
        Rc::clone(&self.public_url.borrow())
    }

    /// Changes the site's public address.
    pub fn set_public_url(&self, url: &str) {
        *self.public_url.borrow_mut() = url.into();
    }

    /// The instance's value of a type, created by `Default` on first use.
    pub fn state<T: Default + 'static>(&self) -> Rc<T> {
        let mut state = self.state.borrow_mut();
        let known = state.iter().find(|(value, _)| *value == TypeId::of::<T>());
        if let Some(Ok(known)) = known.map(|(_, value)| Rc::clone(value).downcast()) {
            return known;
        }
        let made = Rc::new(T::default());
        state.push((TypeId::of::<T>(), made.clone()));
        made
    }
}
