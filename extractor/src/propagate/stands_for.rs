//! Objects of libraries that stand for modules of the index, as a library's table says.
//!
//! ```python
//! from django.conf import settings
//! settings.CURRENCY          # `CURRENCY` of `shop/settings.py`, or of `shop/settings/base.py`
//! ```

use super::object::Object;
use super::rows::LoadRow;
use super::solve::Solver;
use crate::link::{PackageIndex, Symbol};

impl Solver<'_> {
    /// What is read from such an object is read from the modules, too: where the object is, they are.
    pub(super) fn stand_for_modules(&mut self, name: Symbol, row: &LoadRow) {
        let language = self.program.files[row.file.at()].language;
        let text = self.program.symbols.text(name);
        let entry = self.libraries.get(&language).and_then(|library| library.get(text));
        let Some(module) = entry.and_then(|entry| entry.modules.as_deref()) else {
            return;
        };
        let packages = self.program.packages.iter().enumerate();
        let meant = packages.filter(|(_, package)| {
            let mut parts = package.name.rsplit('.');
            package.language == language && parts.by_ref().take(2).any(|part| part == module)
        });
        let meant: Vec<PackageIndex> = meant.map(|(index, _)| PackageIndex(index as u32)).collect();
        for package in meant {
            let package = self.objects.intern(Object::Package(package));
            self.add(row.base, package);
        }
    }
}
