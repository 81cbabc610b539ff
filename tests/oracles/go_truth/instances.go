package main

import (
	"fmt"
	"go/types"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/packages"
)

// The file that is laid over each package of a library; it is never written.
const overlay = "zz_go_truth_instances.go"

// The types that type parameters become, by what they are called in Go.
var fillers = []struct {
	text string
	is   types.Type
}{
	{"int", types.Typ[types.Int]},
	{"string", types.Typ[types.String]},
	{"bool", types.Typ[types.Bool]},
	{"[]int", types.NewSlice(types.Typ[types.Int])},
	{"[]string", types.NewSlice(types.Typ[types.String])},
	{"map[int]string", types.NewMap(types.Typ[types.Int], types.Typ[types.String])},
	{"map[string]bool", types.NewMap(types.Typ[types.String], types.Typ[types.Bool])},
	{"float64", types.Typ[types.Float64]},
	{"error", types.Universe.Lookup("error").Type()},
}

// instances is what a user of a library would write, laid over its packages: one instance of each exported generic function and type. Code with
// type parameters is followed in its instances only, and a library without tests has few. A program has those that it needs.
func instances(config *packages.Config) (map[string][]byte, error) {
	first := *config
	first.Mode = packages.NeedName | packages.NeedFiles | packages.NeedModule
	found, err := packages.Load(&first, "./...")
	if err != nil {
		return nil, err
	}
	for _, own := range found {
		if own.Name == "main" {
			return nil, nil
		}
	}
	first.Mode = packages.LoadAllSyntax | packages.NeedModule
	if found, err = packages.Load(&first, "./..."); err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for _, own := range found {
		var text strings.Builder
		for _, name := range own.Types.Scope().Names() {
			object := own.Types.Scope().Lookup(name)
			if !object.Exported() {
				continue
			}
			switch object := object.(type) {
			case *types.Func:
				if list := arguments(object.Type(), object.Signature().TypeParams()); list != "" {
					fmt.Fprintf(&text, "var instance_%s = %s[%s]\n", name, name, list)
				}
			case *types.TypeName:
				named, ok := object.Type().(*types.Named)
				if !ok || types.IsInterface(named) {
					continue
				}
				if list := arguments(named, named.TypeParams()); list != "" {
					fmt.Fprintf(&text, "var instance_%s any = new(%s[%s])\n", name, name, list)
				}
			}
		}
		if text.Len() > 0 {
			path := filepath.Join(filepath.Dir(own.GoFiles[0]), overlay)
			files[path] = []byte("package " + own.Name + "\n\n" + text.String())
		}
	}
	return files, nil
}

// arguments are types that fit the parameters, or nothing: if there are no parameters, and if none of the fillers fits.
func arguments(generic types.Type, parameters *types.TypeParamList) string {
	count := parameters.Len()
	if count == 0 || count > 4 {
		return ""
	}
	choices := 1
	for range count {
		choices *= len(fillers)
	}
	for choice := range choices {
		list, texts := make([]types.Type, count), make([]string, count)
		for at := range count {
			// Each parameter begins with a filler of its own, so that they are told apart where they can be.
			filler := fillers[(choice+at)%len(fillers)]
			list[at], texts[at] = filler.is, filler.text
			choice /= len(fillers)
		}
		if _, err := types.Instantiate(nil, generic, list, true); err == nil {
			return strings.Join(texts, ", ")
		}
	}
	return ""
}
