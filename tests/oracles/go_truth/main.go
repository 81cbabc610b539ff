// Command go_truth prints what Go's own analyses know of a module: its declarations, who touches which field, which type implements which
// interface, and who calls whom.
//
//	go run . DIR > truth.jsonl
//
// One fact a line; `fact` says which. A place is `file:line:column` with the file relative to DIR, and stands for what is declared there: a
// function, type or field by its name, a closure by its `func`, and what runs before `main` by the first place of the file.
//
//	module      path, go, packages, roots (see calls.go), seconds
//	file        at: a file of the module that is compiled for linux/amd64 without cgo; tests are not loaded
//	function    at, end, name, kind (function, method, closure, abstract: a method of an interface), receiver: the type's place
//	type        at, name, kind (struct, interface, named, alias), at any depth
//	field       at, name, owner: the type's name, or nothing
//	access      at, field, function, mode (read, write), through; optional: people may tell it either way
//	implements  type, interface, kind (concrete, interface), by: where its methods are from
//	unjudged    interface: it has type parameters, and what implements it is not told
//	site        at, shape: how the callee is written
//	call        at, caller, callee, in: the graphs that have this edge, of static, cha, rta, vta
//	known       function, in: the graphs that this function is part of
//	library     callee, in: the graphs in which code outside of the module calls it
//
// Both ends of a call are declared in the module. What the compiler makes up (wrappers, thunks, bound methods, instances of generic functions)
// is followed to what is written. Types come from go/types, calls from golang.org/x/tools/go/callgraph.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/tools/go/packages"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: go_truth DIR")
		os.Exit(2)
	}
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "go_truth:", err)
		os.Exit(1)
	}
}

// fact is a line of the answer.
type fact = map[string]any

// module is a loaded module, and where its facts go.
type module struct {
	root     string
	fset     *token.FileSet
	packages []*packages.Package
	// The module's own packages: all others are libraries.
	own []*packages.Package
	// The files that are compared.
	files map[string]bool
	out   *json.Encoder
}

func run(folder string) error {
	began := time.Now()
	root, err := filepath.Abs(folder)
	if err != nil {
		return err
	}
	if root, err = filepath.EvalSymlinks(root); err != nil {
		return err
	}
	buffer := bufio.NewWriter(os.Stdout)
	m := &module{root: root, fset: token.NewFileSet(), files: map[string]bool{}, out: json.NewEncoder(buffer)}
	m.out.SetEscapeHTML(false)
	if err := m.load(); err != nil {
		return err
	}
	m.declarations()
	m.accesses()
	m.implementations()
	roots, err := m.calls()
	if err != nil {
		return err
	}
	main := m.own[0].Module
	m.tell(fact{
		"fact": "module", "path": main.Path, "go": main.GoVersion, "packages": len(m.own), "roots": roots,
		"seconds": int(time.Since(began).Seconds()),
	})
	return buffer.Flush()
}

// load reads the module's packages and all they stand on, from source.
func (m *module) load() error {
	config := &packages.Config{
		Mode: packages.LoadAllSyntax | packages.NeedModule,
		Dir:  m.root,
		Fset: m.fset,
		// One platform, and no C compiler.
		Env: append(os.Environ(), "GOOS=linux", "GOARCH=amd64", "CGO_ENABLED=0", "GOFLAGS=-mod=mod", "GOWORK=off"),
	}
	var err error
	if config.Overlay, err = instances(config); err != nil {
		return err
	}
	if m.packages, err = packages.Load(config, "./..."); err != nil {
		return err
	}
	for _, loaded := range m.packages {
		for _, problem := range loaded.Errors {
			return fmt.Errorf("%s: %s", loaded.PkgPath, problem)
		}
		if loaded.Module == nil || !loaded.Module.Main {
			continue
		}
		m.own = append(m.own, loaded)
		for _, name := range loaded.CompiledGoFiles {
			if file := m.relative(name); file != "" && filepath.Base(file) != overlay {
				m.files[file] = true
				m.tell(fact{"fact": "file", "at": file})
			}
		}
	}
	if len(m.own) == 0 {
		return fmt.Errorf("%s: no package of a module", m.root)
	}
	return nil
}

func (m *module) tell(f fact) {
	// What is written is made of texts and numbers, into memory.
	if err := m.out.Encode(f); err != nil {
		panic(err)
	}
}

// relative is the path below the module's folder, with forward slashes; nothing for a file elsewhere.
func (m *module) relative(name string) string {
	path, err := filepath.Rel(m.root, name)
	if err != nil || strings.HasPrefix(path, "..") {
		return ""
	}
	return filepath.ToSlash(path)
}

// place is where something stands; nothing for what is not in a file that is compared.
func (m *module) place(at token.Pos) string {
	if !at.IsValid() {
		return ""
	}
	// Where it is in the file, whatever a line directive says.
	position := m.fset.PositionFor(at, false)
	file := m.relative(position.Filename)
	if !m.files[file] {
		return ""
	}
	return fmt.Sprintf("%s:%d:%d", file, position.Line, position.Column)
}

// first is the place that stands for what runs before `main` in the file of this position.
func (m *module) first(at token.Pos) string {
	place := m.place(at)
	if place == "" {
		return ""
	}
	return m.relative(m.fset.PositionFor(at, false).Filename) + ":1:1"
}

func (m *module) line(at token.Pos) int {
	return m.fset.PositionFor(at, false).Line
}
