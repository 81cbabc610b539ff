// Tells what the types of Go's standard library are, for extractor/src/go/standard.txt:
//
//	cd tests/oracles/go_standard && go run . > ../../../extractor/src/go/standard.txt
//
// One line for each exported function, method, field, variable and interface, as far as it leads to a type that has methods or fields:
//
//	os.Open(-) *os.File error             a function, its parameters' and its results' types; `-` has neither methods nor fields
//	net/http.Request.URL *net/url.URL     a field or variable
//	io.Writer{Write(List[]uint8)int,error} an interface with its methods
package main

import (
	"fmt"
	"go/importer"
	"go/token"
	"go/types"
	"os"
	"os/exec"
	"sort"
	"strings"
)

// Packages that few programs import, and that have much to tell.
var left = []string{"cmd/", "vendor/", "internal/", "debug/", "go/", "syscall", "crypto/internal", "runtime", "testing/internal", "plugin/internal", "unsafe", "image/color/palette", "simd"}

func main() {
	listed, err := exec.Command("go", "list", "std").Output()
	if err != nil {
		fail(err)
	}
	tell := teller{lines: map[string]bool{"error{Error()string}": true, "error.Error()": true}}
	source := importer.ForCompiler(token.NewFileSet(), "source", nil)
	for _, path := range strings.Fields(string(listed)) {
		if isLeftOut(path) {
			continue
		}
		pkg, err := source.Import(path)
		if err != nil {
			fail(err)
		}
		tell.pkg(pkg)
	}
	lines := make([]string, 0, len(tell.lines))
	for line := range tell.lines {
		lines = append(lines, line)
	}
	sort.Strings(lines)
	fmt.Println("# Types of Go's standard library. Made by tests/oracles/go_standard; don't edit.")
	for _, line := range lines {
		fmt.Println(line)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

func isLeftOut(path string) bool {
	for _, start := range left {
		if strings.HasPrefix(path, start) || strings.Contains(path, "/internal") {
			return true
		}
	}
	return false
}

type teller struct{ lines map[string]bool }

func (t *teller) add(format string, arguments ...any) {
	t.lines[fmt.Sprintf(format, arguments...)] = true
}

func (t *teller) pkg(pkg *types.Package) {
	scope := pkg.Scope()
	for _, name := range scope.Names() {
		object := scope.Lookup(name)
		if !object.Exported() {
			continue
		}
		full := pkg.Path() + "." + name
		switch object := object.(type) {
		case *types.Func:
			t.function(full, object.Type().(*types.Signature))
		case *types.Var:
			if told := kind(object.Type()); told != "-" {
				t.add("%s %s", full, told)
			}
		case *types.TypeName:
			t.named(full, object)
		}
	}
}

func (t *teller) named(full string, object *types.TypeName) {
	if fields, ok := object.Type().Underlying().(*types.Struct); ok {
		for i := range fields.NumFields() {
			field := fields.Field(i)
			if told := kind(field.Type()); field.Exported() && told != "-" {
				t.add("%s.%s %s", full, field.Name(), told)
			}
		}
	}
	if wide, ok := object.Type().Underlying().(*types.Interface); ok && !object.IsAlias() {
		var methods []string
		whole := wide.IsMethodSet()
		for i := range wide.NumMethods() {
			method := wide.Method(i)
			whole = whole && method.Exported()
			signature := method.Type().(*types.Signature)
			methods = append(methods, method.Name()+"("+exact(signature.Params())+")"+exact(signature.Results()))
		}
		// One with methods that are not exported has no implementers elsewhere.
		if whole && len(methods) > 0 {
			t.add("%s{%s}", full, strings.Join(methods, ";"))
		}
	}
	methods := types.NewMethodSet(types.NewPointer(object.Type()))
	if types.IsInterface(object.Type()) {
		methods = types.NewMethodSet(object.Type())
	}
	for i := range methods.Len() {
		method := methods.At(i).Obj()
		if method.Exported() {
			t.function(full+"."+method.Name(), method.Type().(*types.Signature))
		}
	}
}

func (t *teller) function(full string, signature *types.Signature) {
	parameters, some := kinds(signature.Params(), asked)
	results, more := kinds(signature.Results(), kind)
	if some || more {
		t.add("%s(%s)%s", full, strings.Join(parameters, ","), strings.Join(results, ","))
	} else {
		// That nothing comes of it is worth knowing too.
		t.add("%s()", full)
	}
}

func kinds(tuple *types.Tuple, of func(types.Type) string) ([]string, bool) {
	var told []string
	any := false
	for i := range tuple.Len() {
		one := of(tuple.At(i).Type())
		any = any || one != "-"
		told = append(told, one)
	}
	return told, any
}

// What a parameter asks for that library code may call: a function, or an interface.
func asked(t types.Type) string {
	if named, ok := t.(*types.Named); ok && types.IsInterface(named) {
		return name(named.Obj())
	}
	switch under := t.Underlying().(type) {
	case *types.Signature:
		return "func"
	case *types.Slice:
		return asked(under.Elem())
	}
	return "-"
}

// The type by its name, with what it contains; `-` for what has neither methods nor fields.
func kind(t types.Type) string {
	switch t := t.(type) {
	case *types.Alias:
		return kind(types.Unalias(t))
	case *types.Named:
		if types.IsInterface(t) && t.Underlying().(*types.Interface).NumMethods() == 0 {
			return "-"
		}
		return name(t.Obj())
	case *types.Pointer:
		return kind(t.Elem())
	case *types.Slice:
		return around("[]", t.Elem())
	case *types.Array:
		return around("[]", t.Elem())
	case *types.Map:
		return around("map", t.Elem())
	case *types.Chan:
		return around("chan", t.Elem())
	}
	return "-"
}

func around(container string, element types.Type) string {
	told := kind(element)
	if told == "-" && container == "[]" {
		return "[]"
	}
	if told == "-" {
		return container
	}
	return container + " " + told
}

func name(object types.Object) string {
	if object.Pkg() == nil {
		return object.Name()
	}
	return object.Pkg().Path() + "." + object.Name()
}

// Types as the extractor tells them, to compare signatures: `?` where it does not.
func exact(tuple *types.Tuple) string {
	var told []string
	for i := range tuple.Len() {
		told = append(told, whole(tuple.At(i).Type()))
	}
	return strings.Join(told, ",")
}

func whole(t types.Type) string {
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		return types.Typ[t.Kind()].Name()
	case *types.Named:
		return name(t.Obj())
	case *types.Pointer:
		return "*" + whole(t.Elem())
	case *types.Slice:
		return "List[]" + whole(t.Elem())
	case *types.Map:
		return "Map[" + whole(t.Key()) + "]" + whole(t.Elem())
	}
	return "?"
}
