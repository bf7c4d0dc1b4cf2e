//! The state that all tasks of an instance share.

use std::any::{Any, TypeId};
use std::cell::RefCell;
use std::rc::Rc;

use super::Configuration;

/// The shared state of an instance: the host's configuration, the site's public URL, and at most one value of each Rust
/// type, for example a cache. The state is not durable, since the host may replace the instance at any time.
pub struct Shared {
    configuration: Configuration,
    public_url: RefCell<Rc<str>>,
    state: RefCell<Vec<(TypeId, Rc<dyn Any>)>>,
}

impl Shared {
    /// Creates the state of a new instance.
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

    /// The site's public URL, without a trailing slash; empty if the site has none.
    pub fn public_url(&self) -> Rc<str> {
        Rc::clone(&self.public_url.borrow())
    }

    /// Changes the site's public URL.
    pub fn set_public_url(&self, url: &str) {
        *self.public_url.borrow_mut() = url.into();
    }

    /// The instance's value of a type. The first call creates the value by `Default`.
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
