// Command go_counts prints how many declarations of each kind the Go files below a folder hold, as go/parser sees them.
//
//	go run . DIR > counts.json
//
// The answer is `{"files": {path: counts}, "total": counts}`, paths relative to DIR, with forward slashes. It walks every .go file
// that is not in a folder named vendor or testdata or beginning with `.` or `_`, nor itself begins so. Files that a build
// for linux/amd64 would leave out are counted all the same and carry `"excluded": true`; `total.excluded` is their number. A file
// with syntax errors is counted as far as it parses and carries `"error"`.
package main

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Counts of one file, or of all.
type Counts struct {
	Functions    int `json:"functions"`         // declared functions, methods not included
	Methods      int `json:"methods"`           // declared functions with a receiver
	Literals     int `json:"literals"`          // function literals
	Structs      int `json:"structs"`           // type specs whose type is a struct, at any depth
	Anonymous    int `json:"anonymous"`         // struct types that are not a type spec's own
	Interfaces   int `json:"interfaces"`        // type specs whose type is an interface
	Named        int `json:"named"`             // all other type specs, aliases included
	Fields       int `json:"fields"`            // fields of those structs: one per name; an embedded type is one; `_` too
	UnnamedFlds  int `json:"anonymous_fields"`  // fields of the anonymous ones
	InterfaceFns int `json:"interface_methods"` // methods that the interfaces counted above declare
	Calls        int `json:"calls"`             // call expressions, conversions and builtins included
}

type file struct {
	Counts
	Excluded bool   `json:"excluded,omitempty"`
	Error    string `json:"error,omitempty"`
}

type total struct {
	Files    int `json:"files"`
	Excluded int `json:"excluded"`
	Counts
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: go_counts DIR")
		os.Exit(2)
	}
	files, err := countTree(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, "go_counts:", err)
		os.Exit(1)
	}
	sum := total{Files: len(files)}
	for _, f := range files {
		sum.add(f.Counts)
		if f.Excluded {
			sum.Excluded++
		}
	}
	out := json.NewEncoder(os.Stdout)
	out.SetIndent("", "  ")
	if err := out.Encode(map[string]interface{}{"files": files, "total": sum}); err != nil {
		fmt.Fprintln(os.Stderr, "go_counts:", err)
		os.Exit(1)
	}
}

func countTree(root string) (map[string]file, error) {
	target := build.Default
	target.GOOS, target.GOARCH, target.CgoEnabled = "linux", "amd64", true
	files := map[string]file{}
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := entry.Name()
		hidden := strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_")
		if entry.IsDir() {
			if path != root && (hidden || name == "vendor" || name == "testdata") {
				return filepath.SkipDir
			}
			return nil
		}
		if hidden || !entry.Type().IsRegular() || filepath.Ext(name) != ".go" {
			return nil
		}
		relative, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		files[filepath.ToSlash(relative)] = countFile(&target, path)
		return nil
	})
	return files, err
}

func countFile(target *build.Context, path string) file {
	var f file
	included, err := target.MatchFile(filepath.Dir(path), filepath.Base(path))
	f.Excluded = err == nil && !included
	tree, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	if err != nil {
		f.Error = err.Error()
	}
	if tree != nil {
		f.Counts = countNode(tree)
	}
	return f
}

func countNode(root ast.Node) Counts {
	var c Counts
	named := map[*ast.StructType]bool{}
	ast.Inspect(root, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.FuncDecl:
			if node.Recv == nil {
				c.Functions++
			} else {
				c.Methods++
			}
		case *ast.FuncLit:
			c.Literals++
		case *ast.TypeSpec:
			switch body := node.Type.(type) {
			case *ast.StructType:
				named[body] = true
				c.Structs++
				c.Fields += countNames(body.Fields, func(ast.Expr) bool { return true })
			case *ast.InterfaceType:
				c.Interfaces++
				c.InterfaceFns += countNames(body.Methods, isFunction)
			default:
				c.Named++
			}
		case *ast.StructType:
			if !named[node] {
				c.Anonymous++
				c.UnnamedFlds += countNames(node.Fields, func(ast.Expr) bool { return true })
			}
		case *ast.CallExpr:
			c.Calls++
		}
		return true
	})
	return c
}

// countNames counts one per name, and one for an entry without a name (an embedded type), of the entries whose type is wanted.
func countNames(list *ast.FieldList, wanted func(ast.Expr) bool) int {
	count := 0
	for _, entry := range list.List {
		if !wanted(entry.Type) {
			continue
		}
		if len(entry.Names) == 0 {
			count++
		}
		count += len(entry.Names)
	}
	return count
}

func isFunction(expression ast.Expr) bool {
	_, ok := expression.(*ast.FuncType)
	return ok
}

func (c *Counts) add(other Counts) {
	c.Functions += other.Functions
	c.Methods += other.Methods
	c.Literals += other.Literals
	c.Structs += other.Structs
	c.Anonymous += other.Anonymous
	c.Interfaces += other.Interfaces
	c.Named += other.Named
	c.Fields += other.Fields
	c.UnnamedFlds += other.UnnamedFlds
	c.InterfaceFns += other.InterfaceFns
	c.Calls += other.Calls
}
