package main

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/packages"
)

// accesses tells who reads and who writes which field.
//
// Written is what stands on the left of an assignment, and what a literal of the struct names. Everything else is read. What people may
// tell either way is optional: in `a.b.c = 1`, where `b` is a struct, `b` is neither read nor written as a whole; `&a.b` and a method with a
// pointer receiver may write `b`; and a promoted field goes through the embedded ones without their being named.
func (m *module) accesses() {
	m.each(func(own *packages.Package, file *ast.File) {
		w := &accessWalk{m: m, info: own.TypesInfo, shapes: m.shapesOf(own.TypesInfo, file)}
		ast.Inspect(file, func(node ast.Node) bool {
			if node == nil {
				w.above = w.above[:len(w.above)-1]
				return true
			}
			switch node := node.(type) {
			case *ast.SelectorExpr:
				w.selector(node)
			case *ast.CompositeLit:
				w.literal(node)
			}
			w.above = append(w.above, node)
			return true
		})
	})
}

type accessWalk struct {
	m      *module
	info   *types.Info
	shapes *shapes
	// The nodes that the current one is in, the file first.
	above []ast.Node
}

func (w *accessWalk) selector(node *ast.SelectorExpr) {
	selection := w.info.Selections[node]
	if selection == nil {
		return
	}
	path := selection.Index()
	on := selection.Recv()
	for _, at := range path[:len(path)-1] {
		field := structOf(on).Field(at)
		w.tell(node.Sel.Pos(), field, "read", "promoted", true)
		w.tell(node.Sel.Pos(), field, "write", "promoted", true)
		on = field.Type()
	}
	field, ok := selection.Obj().(*types.Var)
	if !ok {
		return
	}
	through := w.shapes.of(node.X)
	if len(path) > 1 {
		through = "promoted from " + through
	}
	reads, writes := w.use(node)
	for mode, how := range map[string]use{"read": reads, "write": writes} {
		if how != not {
			w.tell(node.Sel.Pos(), field, mode, through, how == perhaps)
		}
	}
}

// use is whether something is done to a field.
type use int

const (
	not use = iota
	perhaps
	surely
)

// use is what the code around an expression does with the field that it ends in.
func (w *accessWalk) use(node ast.Expr) (reads, writes use) {
	var inner ast.Node = node
	// Whether the way so far leads into the field itself, and not to what it points to.
	within, direct := true, true
	for at := len(w.above) - 1; at >= 0; at-- {
		switch outer := w.above[at].(type) {
		case *ast.ParenExpr:
			inner = outer
			continue
		case *ast.SelectorExpr:
			if _, ok := w.info.TypeOf(inner.(ast.Expr)).Underlying().(*types.Struct); !ok {
				within = false
			}
			if selection := w.info.Selections[outer]; selection != nil && selection.Kind() == types.MethodVal {
				if direct {
					return surely, perhaps
				}
				return surely, not
			}
			inner, direct = outer, false
			continue
		case *ast.IndexExpr:
			if outer.X != inner {
				return surely, not
			}
			if _, ok := w.info.TypeOf(outer.X).Underlying().(*types.Array); !ok {
				within = false
			}
			inner, direct = outer, false
			continue
		case *ast.StarExpr:
			inner, direct, within = outer, false, false
			continue
		case *ast.UnaryExpr:
			if outer.Op == token.AND {
				return surely, perhaps
			}
		case *ast.AssignStmt:
			for _, left := range outer.Lhs {
				if left == inner {
					return written(outer.Tok == token.ASSIGN, direct, within)
				}
			}
		case *ast.IncDecStmt:
			return written(false, direct, within)
		case *ast.RangeStmt:
			if outer.Key == inner || outer.Value == inner {
				return written(true, direct, within)
			}
		}
		break
	}
	return surely, not
}

func written(plain, direct, within bool) (reads, writes use) {
	switch {
	case direct && plain:
		return not, surely
	case direct:
		return surely, surely
	case within:
		return perhaps, perhaps
	}
	return surely, perhaps
}

func (w *accessWalk) literal(node *ast.CompositeLit) {
	body := structOf(w.info.TypeOf(node))
	if body == nil {
		return
	}
	through := "literal"
	if node.Type == nil {
		through = "literal without its type"
	}
	for at, element := range node.Elts {
		if pair, ok := element.(*ast.KeyValueExpr); ok {
			if name, ok := pair.Key.(*ast.Ident); ok {
				if field, ok := w.info.Uses[name].(*types.Var); ok {
					w.tell(name.Pos(), field, "write", through, false)
				}
			}
			continue
		}
		w.tell(element.Pos(), body.Field(at), "write", through+" and names", false)
	}
}

func structOf(of types.Type) *types.Struct {
	of = of.Underlying()
	if pointer, ok := of.(*types.Pointer); ok {
		of = pointer.Elem().Underlying()
	}
	body, _ := of.(*types.Struct)
	return body
}

func (w *accessWalk) tell(at token.Pos, field *types.Var, mode, through string, optional bool) {
	declared := w.m.place(field.Origin().Pos())
	if declared == "" {
		return
	}
	w.m.tell(fact{
		"fact": "access", "at": w.m.place(at), "field": declared, "function": w.function(at), "mode": mode, "through": through, "optional": optional,
	})
}

// function is the function around the current node.
func (w *accessWalk) function(at token.Pos) string {
	for index := len(w.above) - 1; index >= 0; index-- {
		switch outer := w.above[index].(type) {
		case *ast.FuncLit:
			return w.m.place(outer.Pos())
		case *ast.FuncDecl:
			return w.m.place(outer.Name.Pos())
		}
	}
	return w.m.first(at)
}
