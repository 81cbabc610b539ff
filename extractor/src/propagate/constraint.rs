//! What waits at places for objects to arrive.
//!
//! `x = y` is a [`Constraint::Copy`] at `y` to `x`; `x = y.name` a [`Constraint::Load`] at `y`, which looks `name` up in whatever arrives; `y()` a
//! [`Constraint::Call`].

use super::object::ObjectId;
use crate::link::{PlaceIndex, TypeIndex};

/// What happens when an object arrives at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Constraint {
    Copy(PlaceIndex),
    /// As `Copy`, for what the second place does not hold.
    CopyOwn(PlaceIndex, PlaceIndex),
    /// As `Copy`, for what was not handed back: the index of what is forwarded.
    Forward(u32),
    /// As `Copy`, for all but pointers: from a variable to the pointer to it, which leads to what those lead to by way of it.
    CopyPointedAt(PlaceIndex),
    /// As `Copy`, for functions and containers.
    CopyPlain(PlaceIndex),
    /// As `Copy`, for all but containers.
    CopyCells(PlaceIndex),
    /// As `Copy`, for containers.
    CopyContainers(PlaceIndex),
    /// As `Copy`, for what is of a type: the index of a narrowing.
    Narrow(u32),
    /// As `Copy`, for what an assertion lets through: its index.
    Assert(u32),
    /// What lies in what arrives is looked at: the place that all of it comes to.
    Within(PlaceIndex),
    /// A loop over what may be a function.
    Loop(u32),
    /// A class arrives that a test asks for: the index of a narrowing.
    NarrowBy(u32),
    /// The class of what arrives.
    ClassOf(PlaceIndex),
    /// An instance of the class that arrives.
    InstanceOf(PlaceIndex),
    /// The classes that derive from the class that arrives.
    SubclassesOf(PlaceIndex),
    /// Instances of the class that arrives, one by one.
    RowsOf(PlaceIndex),
    /// A class that a relation of another leads to: the call.
    Relate(u32),
    /// What a call of a method is told that is known by its name alone.
    RowsByName(u32),
    /// Who writes an object arrives: a serializer, or its class; the index of what is rendered.
    Render(u32),
    /// Who reads a request, or writes an answer: the call, and whether it writes.
    Hooks(u32, bool),
    Load(u32),
    /// A load of any member whose name fits.
    LoadFitting(u32),
    Store(u32),
    ElementLoad(u32),
    ElementStore(u32),
    Call(u32),
    /// A member was found for a load; its contents are bound to the receiver.
    MemberCopy(u32, ObjectId),
    /// A setter may be among the member's contents.
    SetterCopy(u32, ObjectId),
    /// The constructor of a class that a call makes an instance of.
    Construct(u32, TypeIndex),
    /// `__new__` of a class that a call makes an instance of, or `__call__` of its class.
    Make(u32, TypeIndex),
    /// `__call__` of an instance that is called.
    CallMember(u32, ObjectId),
}
