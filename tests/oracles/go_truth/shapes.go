package main

import (
	"go/ast"
	"go/token"
	"go/types"
)

// shapes says in a few words how an expression is written, so that what is missed can be counted by its cause.
type shapes struct {
	m    *module
	info *types.Info
	// How each variable comes to its value.
	variables map[types.Object]string
}

func (m *module) shapesOf(info *types.Info, file *ast.File) *shapes {
	s := &shapes{m: m, info: info, variables: map[types.Object]string{}}
	ast.Inspect(file, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.FuncDecl:
			if node.Recv != nil {
				s.list(node.Recv, "receiver")
			}
		case *ast.FuncType:
			s.list(node.Params, "parameter")
			s.list(node.Results, "named result")
		case *ast.AssignStmt:
			for at, left := range node.Lhs {
				from := node.Rhs[0]
				if len(node.Rhs) == len(node.Lhs) {
					from = node.Rhs[at]
				}
				s.variable(left, "local of ", from)
			}
		case *ast.ValueSpec:
			for at, left := range node.Names {
				switch {
				case len(node.Values) == len(node.Names):
					s.variable(left, "local of ", node.Values[at])
				case len(node.Values) > 0:
					s.variable(left, "local of ", node.Values[0])
				default:
					s.variable(left, "declared local", nil)
				}
			}
		case *ast.RangeStmt:
			for _, left := range []ast.Expr{node.Key, node.Value} {
				s.variable(left, "range over ", node.X)
			}
		case *ast.CaseClause:
			if object := s.info.Implicits[node]; object != nil {
				s.variables[object] = "type switch"
			}
		}
		return true
	})
	return s
}

func (s *shapes) list(list *ast.FieldList, kind string) {
	if list == nil {
		return
	}
	for _, entry := range list.List {
		for _, name := range entry.Names {
			s.variables[s.info.Defs[name]] = kind
		}
	}
}

// variable notes where a variable that is defined here gets its value from.
func (s *shapes) variable(left ast.Expr, kind string, from ast.Expr) {
	name, ok := left.(*ast.Ident)
	if !ok || s.info.Defs[name] == nil {
		return
	}
	if from != nil {
		kind += s.plain(from)
	}
	s.variables[s.info.Defs[name]] = kind
}

// of is the shape of an expression.
func (s *shapes) of(expression ast.Expr) string {
	if name, ok := ast.Unparen(expression).(*ast.Ident); ok {
		object := s.info.Uses[name]
		if kind := s.variables[object]; kind != "" && !global(object) {
			return kind
		}
	}
	return s.plain(expression)
}

// plain is the shape of an expression without a look at where its variables come from.
func (s *shapes) plain(expression ast.Expr) string {
	switch expression := ast.Unparen(expression).(type) {
	case *ast.Ident:
		switch object := s.info.Uses[expression].(type) {
		case *types.Func:
			return "function"
		case *types.Var:
			if global(object) {
				return "global"
			}
			return "variable"
		}
		return "name"
	case *ast.SelectorExpr:
		if selection := s.info.Selections[expression]; selection != nil {
			if selection.Kind() == types.FieldVal {
				return "field"
			}
			return "method value"
		}
		if _, ok := s.info.Uses[expression.Sel].(*types.Func); ok {
			return "function"
		}
		return "global"
	case *ast.CallExpr:
		if s.info.Types[expression.Fun].IsType() {
			return "conversion"
		}
		if name, ok := ast.Unparen(expression.Fun).(*ast.Ident); ok {
			if _, ok := s.info.Uses[name].(*types.Builtin); ok {
				return name.Name
			}
		}
		if s.calleeIsOwn(expression.Fun) {
			return "own call"
		}
		return "library call"
	case *ast.IndexExpr:
		if _, ok := s.info.Types[expression.X].Type.Underlying().(*types.Map); ok {
			return "map element"
		}
		return "element"
	case *ast.TypeAssertExpr:
		return "assertion"
	case *ast.CompositeLit:
		return "literal"
	case *ast.FuncLit:
		return "closure"
	case *ast.StarExpr:
		return "pointer's target"
	case *ast.UnaryExpr:
		switch expression.Op {
		case token.ARROW:
			return "received"
		case token.AND:
			return s.plain(expression.X)
		}
	case *ast.SliceExpr:
		return "slice"
	}
	return "other"
}

// calleeIsOwn says whether what is called is declared in the module; a function held in a variable is.
func (s *shapes) calleeIsOwn(callee ast.Expr) bool {
	var name *ast.Ident
	switch callee := ast.Unparen(callee).(type) {
	case *ast.Ident:
		name = callee
	case *ast.SelectorExpr:
		name = callee.Sel
	case *ast.IndexExpr:
		return s.calleeIsOwn(callee.X)
	case *ast.IndexListExpr:
		return s.calleeIsOwn(callee.X)
	default:
		return true
	}
	object := s.info.Uses[name]
	return object != nil && s.m.place(object.Pos()) != ""
}

// call is the shape of a callee.
func (s *shapes) call(callee ast.Expr) string {
	callee = ast.Unparen(callee)
	selector, ok := callee.(*ast.SelectorExpr)
	if !ok {
		if head := s.instantiated(callee); head != nil {
			return "generic function"
		}
		if shape := s.of(callee); shape == "function" || shape == "closure" {
			return shape
		} else {
			return "value: " + shape
		}
	}
	selection := s.info.Selections[selector]
	if selection == nil {
		if s.of(selector) == "function" {
			return "function"
		}
		return "value: global"
	}
	switch selection.Kind() {
	case types.FieldVal:
		return "value: field"
	case types.MethodExpr:
		return "method expression"
	}
	base := s.of(selector.X)
	if _, ok := types.Unalias(selection.Recv()).(*types.TypeParam); ok {
		return "type parameter's method on " + base
	}
	if types.IsInterface(selection.Recv()) {
		return "interface method on " + base
	}
	if len(selection.Index()) > 1 {
		return "promoted method on " + base
	}
	return "method on " + base
}

// instantiated is the name of the generic function that an expression gives type arguments to.
func (s *shapes) instantiated(expression ast.Expr) *ast.Ident {
	var head ast.Expr
	switch expression := expression.(type) {
	case *ast.IndexExpr:
		head = expression.X
	case *ast.IndexListExpr:
		head = expression.X
	default:
		return nil
	}
	var name *ast.Ident
	switch head := ast.Unparen(head).(type) {
	case *ast.Ident:
		name = head
	case *ast.SelectorExpr:
		name = head.Sel
	}
	if name == nil {
		return nil
	}
	if _, ok := s.info.Uses[name].(*types.Func); !ok {
		return nil
	}
	return name
}

// site is where a call stands: at the name of what is called, or else at the parenthesis of its arguments.
func (s *shapes) site(call *ast.CallExpr) token.Pos {
	switch callee := call.Fun.(type) {
	case *ast.Ident:
		return callee.Pos()
	case *ast.SelectorExpr:
		return callee.Sel.Pos()
	}
	if name := s.instantiated(call.Fun); name != nil {
		return name.Pos()
	}
	return call.Lparen
}

func global(object types.Object) bool {
	variable, ok := object.(*types.Var)
	return ok && !variable.IsField() && variable.Pkg() != nil && variable.Parent() == variable.Pkg().Scope()
}
