package main

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/packages"
)

// each walks the files that are compared.
func (m *module) each(visit func(*packages.Package, *ast.File)) {
	for _, own := range m.own {
		for _, file := range own.Syntax {
			if m.place(file.Package) != "" {
				visit(own, file)
			}
		}
	}
}

func (m *module) declarations() {
	m.each(func(own *packages.Package, file *ast.File) {
		named := map[ast.Expr]string{}
		ast.Inspect(file, func(node ast.Node) bool {
			switch node := node.(type) {
			case *ast.FuncDecl:
				f := fact{"fact": "function", "at": m.place(node.Name.Pos()), "end": m.line(node.End()), "name": node.Name.Name, "kind": "function"}
				if node.Recv != nil {
					f["kind"] = "method"
					f["receiver"] = m.receiver(own.TypesInfo.Defs[node.Name])
					f["named"] = len(node.Recv.List[0].Names) > 0 && node.Recv.List[0].Names[0].Name != "_"
				}
				m.tell(f)
			case *ast.FuncLit:
				m.tell(fact{"fact": "function", "at": m.place(node.Pos()), "end": m.line(node.End()), "name": "", "kind": "closure"})
			case *ast.TypeSpec:
				named[node.Type] = node.Name.Name
				m.tell(fact{"fact": "type", "at": m.place(node.Name.Pos()), "name": node.Name.Name, "kind": kind(node)})
			case *ast.StructType:
				m.fields(node, named[node])
			case *ast.InterfaceType:
				for _, method := range node.Methods.List {
					for _, name := range method.Names {
						m.tell(fact{"fact": "function", "at": m.place(name.Pos()), "end": m.line(method.End()), "name": name.Name, "kind": "abstract"})
					}
				}
			}
			return true
		})
	})
}

func kind(spec *ast.TypeSpec) string {
	switch spec.Type.(type) {
	case *ast.StructType:
		return "struct"
	case *ast.InterfaceType:
		return "interface"
	}
	if spec.Assign.IsValid() {
		return "alias"
	}
	return "named"
}

// receiver is the place of the type that a method is declared on.
func (m *module) receiver(method types.Object) string {
	if method == nil {
		return ""
	}
	if named := namedType(method.Type().(*types.Signature).Recv().Type()); named != nil {
		return m.place(named.Origin().Obj().Pos())
	}
	return ""
}

func (m *module) fields(body *ast.StructType, owner string) {
	for _, entry := range body.Fields.List {
		for _, name := range entry.Names {
			m.tell(fact{"fact": "field", "at": m.place(name.Pos()), "name": name.Name, "owner": owner})
		}
		if len(entry.Names) == 0 {
			if name := embeddedName(entry.Type); name != nil {
				m.tell(fact{"fact": "field", "at": m.place(name.Pos()), "name": name.Name, "owner": owner})
			}
		}
	}
}

// embeddedName is what an embedded field is called, in the expression of its type.
func embeddedName(expression ast.Expr) *ast.Ident {
	switch expression := expression.(type) {
	case *ast.Ident:
		return expression
	case *ast.StarExpr:
		return embeddedName(expression.X)
	case *ast.SelectorExpr:
		return expression.Sel
	case *ast.IndexExpr:
		return embeddedName(expression.X)
	case *ast.IndexListExpr:
		return embeddedName(expression.X)
	case *ast.ParenExpr:
		return embeddedName(expression.X)
	}
	return nil
}

// namedType is the type with a name behind a pointer.
func namedType(of types.Type) *types.Named {
	of = types.Unalias(of)
	if pointer, ok := of.(*types.Pointer); ok {
		of = types.Unalias(pointer.Elem())
	}
	named, _ := of.(*types.Named)
	return named
}

// implementations tells which declared types have the method set of which declared interface. An interface that every type implements says
// nothing and is left out, and so is a constraint, which no value has.
func (m *module) implementations() {
	var all []*types.TypeName
	m.each(func(own *packages.Package, file *ast.File) {
		ast.Inspect(file, func(node ast.Node) bool {
			if spec, ok := node.(*ast.TypeSpec); ok && !spec.Assign.IsValid() {
				if name, ok := own.TypesInfo.Defs[spec.Name].(*types.TypeName); ok {
					all = append(all, name)
				}
			}
			return true
		})
	})
	for _, wanted := range all {
		contract, ok := wanted.Type().Underlying().(*types.Interface)
		if !ok || contract.NumMethods() == 0 || !contract.IsMethodSet() {
			continue
		}
		if named := namedType(wanted.Type()); named != nil && named.TypeParams().Len() > 0 {
			m.tell(fact{"fact": "unjudged", "interface": m.place(wanted.Pos())})
			continue
		}
		for _, name := range all {
			if name == wanted {
				continue
			}
			kind := "concrete"
			if types.IsInterface(name.Type()) {
				kind = "interface"
			}
			if types.Implements(name.Type(), contract) || kind == "concrete" && types.Implements(types.NewPointer(name.Type()), contract) {
				m.tell(fact{"fact": "implements", "type": m.place(name.Pos()), "interface": m.place(wanted.Pos()), "kind": kind, "by": m.methodsOf(name.Type(), contract)})
			}
		}
	}
}

// methodsOf says where a type has the methods of an interface from.
func (m *module) methodsOf(of types.Type, contract *types.Interface) string {
	by := "its own methods"
	for method := range contract.Methods() {
		found, path, _ := types.LookupFieldOrMethod(of, true, method.Pkg(), method.Name())
		switch {
		case found == nil:
		case m.place(found.Pos()) == "":
			return "methods of a library"
		case len(path) > 1:
			by = "promoted methods"
		}
	}
	return by
}
