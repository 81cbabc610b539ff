package main

import (
	"go/ast"
	"go/token"
	"maps"
	"slices"
	"sort"
	"strings"

	"golang.org/x/tools/go/callgraph"
	"golang.org/x/tools/go/callgraph/cha"
	"golang.org/x/tools/go/callgraph/rta"
	"golang.org/x/tools/go/callgraph/static"
	"golang.org/x/tools/go/callgraph/vta"
	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"
)

// calls tells the edges of four call graphs, from the narrowest to the widest idea of what may be called:
//
//	static  what the source names
//	vta     what values that are followed by their types can hold
//	rta     what can be called by something reachable from the roots
//	cha     every function of that signature, every type with such a method
//
// The roots are the main packages. A module without one is a library: then its exported functions and methods are, and what initialises its
// packages, and the instances of generic functions (see instances.go).
func (m *module) calls() (roots string, err error) {
	program, _ := ssautil.AllPackages(m.packages, ssa.InstantiateGenerics)
	program.Build()
	c := &callFacts{m: m, sites: map[token.Pos]string{}, calls: map[[3]string]int{}, known: map[string]int{}, library: map[string]int{}}
	c.findSites()
	starts, roots := c.roots(program)
	all := ssautil.AllFunctions(program)
	wide := cha.CallGraph(program)
	c.add(static.CallGraph(program), 0)
	c.add(wide, 1)
	c.add(vta.CallGraph(all, wide), 3)
	c.add(rta.Analyze(starts, true).CallGraph, 2)
	c.tell()
	return roots, nil
}

var graphs = []string{"static", "cha", "rta", "vta"}

type callFacts struct {
	m *module
	// The parenthesis of a call, to where the call is said to stand.
	sites map[token.Pos]string
	// Site, caller, callee, to a bit for each graph; the same for functions.
	calls          map[[3]string]int
	known, library map[string]int
}

func (c *callFacts) findSites() {
	c.m.each(func(own *packages.Package, file *ast.File) {
		s := c.m.shapesOf(own.TypesInfo, file)
		ast.Inspect(file, func(node ast.Node) bool {
			if call, ok := node.(*ast.CallExpr); ok && !own.TypesInfo.Types[call.Fun].IsType() {
				at := c.m.place(s.site(call))
				c.sites[call.Lparen] = at
				c.m.tell(fact{"fact": "site", "at": at, "shape": s.call(call.Fun)})
			}
			return true
		})
	})
}

func (c *callFacts) roots(program *ssa.Program) (starts []*ssa.Function, kind string) {
	for _, own := range c.m.own {
		built := program.Package(own.Types)
		if own.Name == "main" && built.Func("main") != nil {
			starts = append(starts, built.Func("main"), built.Func("init"))
		}
	}
	if len(starts) > 0 {
		return starts, "main packages"
	}
	for _, own := range c.m.own {
		starts = append(starts, program.Package(own.Types).Func("init"))
	}
	for function := range ssautil.AllFunctions(program) {
		if c.written(function) == "" || isGeneric(function) {
			continue
		}
		declaration, ok := function.Syntax().(*ast.FuncDecl)
		if ok && declaration.Name.IsExported() {
			starts = append(starts, function)
		}
	}
	// The order is that of a map.
	sort.Slice(starts, func(a, b int) bool { return starts[a].String() < starts[b].String() })
	return starts, "exported functions and methods"
}

func isGeneric(function *ssa.Function) bool {
	for ; function != nil; function = function.Parent() {
		if function.TypeParams().Len() > len(function.TypeArgs()) {
			return true
		}
		if receiver := function.Signature.Recv(); receiver != nil && len(function.TypeArgs()) == 0 {
			if named := namedType(receiver.Type()); named != nil && named.TypeParams().Len() > 0 {
				return true
			}
		}
	}
	return false
}

// add notes the edges of a graph.
func (c *callFacts) add(graph *callgraph.Graph, bit int) {
	kept := map[*callgraph.Node][]string{}
	for function, node := range graph.Nodes {
		if function == nil {
			continue
		}
		caller := c.written(function)
		if caller != "" {
			c.known[caller] |= 1 << bit
		}
		initializes := function.Synthetic == "package initializer"
		for _, edge := range node.Out {
			if caller == "" && !initializes {
				// A library hands control over.
				if !isMadeUp(function) {
					for _, callee := range c.follow(edge.Callee, kept) {
						c.library[callee] |= 1 << bit
					}
				}
				continue
			}
			if edge.Site == nil {
				continue
			}
			position := edge.Site.Common().Pos()
			site := c.sites[position]
			if site == "" {
				continue
			}
			from := caller
			if initializes {
				from = c.m.first(position)
				c.known[from] |= 1 << bit
			}
			for _, callee := range c.follow(edge.Callee, kept) {
				c.calls[[3]string{site, from, callee}] |= 1 << bit
			}
		}
	}
}

// follow is what is written behind a callee: itself, or what a made-up function calls. What is known of the made-up ones of a graph is kept:
// in the wide graphs each of them has many callees, made up as well.
func (c *callFacts) follow(node *callgraph.Node, kept map[*callgraph.Node][]string) []string {
	if callee := c.callee(node.Func); callee != "" {
		return []string{callee}
	}
	if !isMadeUp(node.Func) {
		return nil
	}
	if found, ok := kept[node]; ok {
		return found
	}
	found := map[string]bool{}
	seen := map[*callgraph.Node]bool{node: true}
	open := []*callgraph.Node{node}
	for len(open) > 0 {
		from := open[len(open)-1]
		open = open[:len(open)-1]
		for _, edge := range from.Out {
			if callee := c.callee(edge.Callee.Func); callee != "" {
				found[callee] = true
			} else if isMadeUp(edge.Callee.Func) && !seen[edge.Callee] {
				seen[edge.Callee] = true
				open = append(open, edge.Callee)
			}
		}
	}
	kept[node] = slices.Collect(maps.Keys(found))
	return kept[node]
}

// isMadeUp is true of wrappers, thunks and bound methods.
func isMadeUp(function *ssa.Function) bool {
	return function.Synthetic != "" && function.Synthetic != "package initializer" && function.Origin() == nil && function.Syntax() == nil
}

// callee is the same for what is called: the body of a loop over a function is no function of its own.
func (c *callFacts) callee(function *ssa.Function) string {
	if _, ok := function.Syntax().(*ast.RangeStmt); ok {
		return ""
	}
	return c.written(function)
}

// written is the place of the function in the source; nothing for what is made up, or belongs to a library.
func (c *callFacts) written(function *ssa.Function) string {
	if function.Synthetic != "" && function.Origin() == nil && !strings.HasPrefix(function.Synthetic, "range-over-func") {
		return ""
	}
	switch syntax := function.Syntax().(type) {
	case *ast.FuncDecl:
		return c.m.place(syntax.Name.Pos())
	case *ast.FuncLit:
		return c.m.place(syntax.Pos())
	case *ast.RangeStmt:
		return c.written(function.Parent())
	}
	return ""
}

func (c *callFacts) tell() {
	for call, in := range c.calls {
		c.m.tell(fact{"fact": "call", "at": call[0], "caller": call[1], "callee": call[2], "in": names(in)})
	}
	for function, in := range c.known {
		c.m.tell(fact{"fact": "known", "function": function, "in": names(in)})
	}
	for callee, in := range c.library {
		c.m.tell(fact{"fact": "library", "callee": callee, "in": names(in)})
	}
}

func names(in int) []string {
	var found []string
	for bit, name := range graphs {
		if in&(1<<bit) != 0 {
			found = append(found, name)
		}
	}
	return found
}
