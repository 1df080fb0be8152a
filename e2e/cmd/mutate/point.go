package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// fault is one fault that can be switched on by its number.
type fault struct {
	number int
	// name says where and what it is, without line numbers, so that it stays the same
	// when other code changes.
	name string
}

// source is a package with all faults in it.
type source struct {
	fset   *token.FileSet
	files  map[string]*ast.File
	faults []fault
	seen   map[string]int
	// file and function are those that are being walked.
	file, function string
}

// read parses the package of a folder, without its tests.
func read(folder, except string) (*source, error) {
	s := &source{fset: token.NewFileSet(), files: map[string]*ast.File{}, seen: map[string]int{}}
	paths, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		return nil, err
	}
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(s.fset, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		s.files[path] = file
	}
	if len(s.files) == 0 {
		return nil, fmt.Errorf("%s: no Go files: %w", folder, os.ErrNotExist)
	}
	for _, path := range paths {
		name := filepath.Base(path)
		left, err := filepath.Match(except, name)
		if err != nil {
			return nil, err
		}
		if file := s.files[path]; file != nil && !left {
			s.walk(name, file)
		}
	}
	return s, nil
}

func (s *source) walk(name string, file *ast.File) {
	s.file = name
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Body == nil {
				continue
			}
			s.function = d.Name.Name
			s.block(d.Body)
		case *ast.GenDecl:
			if d.Tok == token.VAR {
				s.table(d)
			}
		}
	}
}

// add numbers a fault. The same fault at another place of a function gets a count.
func (s *source) add(what string, node ast.Node) *ast.BasicLit {
	var text bytes.Buffer
	if err := printer.Fprint(&text, s.fset, node); err != nil {
		text.WriteString(err.Error())
	}
	name := fmt.Sprintf("%s %s: %s: %s", s.file, s.function, what, strings.Join(strings.Fields(text.String()), " "))
	if s.seen[name]++; s.seen[name] > 1 {
		name += fmt.Sprintf(" (%d)", s.seen[name])
	}
	s.faults = append(s.faults, fault{len(s.faults) + 1, name})
	return &ast.BasicLit{Kind: token.INT, Value: strconv.Itoa(len(s.faults))}
}

func call(name string, args ...ast.Expr) *ast.CallExpr {
	return &ast.CallExpr{Fun: ast.NewIdent(name), Args: args}
}

func binary(op token.Token, x, y ast.Expr) ast.Expr {
	return &ast.ParenExpr{X: &ast.BinaryExpr{X: x, Op: op, Y: y}}
}

// block puts faults into the conditions of a function.
func (s *source) block(body *ast.BlockStmt) {
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IfStmt:
			n.Cond = s.condition(n.Cond)
		case *ast.SwitchStmt:
			if n.Tag != nil {
				return true
			}
			for _, clause := range n.Body.List {
				if c, ok := clause.(*ast.CaseClause); ok {
					for i := range c.List {
						c.List[i] = s.condition(c.List[i])
					}
				}
			}
		case *ast.ReturnStmt:
			for i, r := range n.Results {
				if isLogical(r) {
					n.Results[i] = s.condition(r)
				}
			}
		case *ast.CallExpr:
			s.tier(n)
		}
		return true
	})
}

// isLogical says that an expression is surely a bool.
func isLogical(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return isLogical(e.X)
	case *ast.UnaryExpr:
		return e.Op == token.NOT
	case *ast.BinaryExpr:
		return slices.Contains([]token.Token{token.LAND, token.LOR, token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ}, e.Op)
	}
	return false
}

// condition makes a condition that can be always true, always false, without one of
// its parts, or off by one.
func (s *source) condition(e ast.Expr) ast.Expr {
	always, never := s.add("always", e), s.add("never", e)
	return binary(token.LAND, binary(token.LOR, s.parts(e), call("faultActive", always)), &ast.UnaryExpr{Op: token.NOT, X: call("faultActive", never)})
}

// parts puts faults into the parts of a condition. What is written twice is looked at
// twice while a fault is on, so it must not change anything but counters.
func (s *source) parts(e ast.Expr) ast.Expr {
	if p, ok := e.(*ast.ParenExpr); ok {
		return &ast.ParenExpr{X: s.parts(p.X)}
	}
	b, ok := e.(*ast.BinaryExpr)
	if !ok {
		return e
	}
	off := func(n *ast.BasicLit) ast.Expr { return &ast.UnaryExpr{Op: token.NOT, X: call("faultActive", n)} }
	equal := &ast.BinaryExpr{X: b.X, Op: token.EQL, Y: b.Y}
	switch {
	case b.Op == token.LAND:
		left, right := s.add("without left of", e), s.add("without right of", e)
		return binary(token.LAND, binary(token.LOR, call("faultActive", left), s.parts(b.X)), binary(token.LOR, call("faultActive", right), s.parts(b.Y)))
	case b.Op == token.LOR:
		left, right := s.add("without left of", e), s.add("without right of", e)
		return binary(token.LOR, binary(token.LAND, off(left), s.parts(b.X)), binary(token.LAND, off(right), s.parts(b.Y)))
	case b.Op == token.LSS || b.Op == token.GTR:
		return binary(token.LOR, e, binary(token.LAND, call("faultActive", s.add("or equal", e)), equal))
	case b.Op == token.LEQ || b.Op == token.GEQ:
		return binary(token.LAND, e, &ast.UnaryExpr{Op: token.NOT, X: binary(token.LAND, call("faultActive", s.add("not equal", e)), equal)})
	}
	return e
}

// tier makes the first argument of a call that is a tier another one.
func (s *source) tier(c *ast.CallExpr) {
	if name, ok := c.Fun.(*ast.Ident); !ok || name.Name != "fired" || len(c.Args) == 0 {
		return
	}
	if _, ok := c.Args[0].(*ast.SelectorExpr); ok {
		c.Args[0] = call("faultTier", s.add("another tier", c.Args[0]), c.Args[0])
	}
}

// table takes the texts out of the lists of a package, one at a time.
func (s *source) table(d *ast.GenDecl) {
	for _, spec := range d.Specs {
		v, ok := spec.(*ast.ValueSpec)
		if !ok {
			continue
		}
		s.function = v.Names[0].Name
		for _, value := range v.Values {
			ast.Inspect(value, func(n ast.Node) bool {
				list, ok := n.(*ast.CompositeLit)
				if !ok {
					return true
				}
				if kind, isList := list.Type.(*ast.ArrayType); isList && isString(kind.Elt) {
					for i, e := range list.Elts {
						list.Elts[i] = s.words(e)
					}
				}
				return true
			})
		}
	}
}

func isString(e ast.Expr) bool {
	name, ok := e.(*ast.Ident)
	return ok && name.Name == "string"
}

// words takes a text out of a list, or one of the alternatives of a pattern.
func (s *source) words(e ast.Expr) ast.Expr {
	text, ok := literal(e)
	if !ok {
		return e
	}
	from, to := strings.IndexByte(text, '{'), strings.IndexByte(text, '}')
	if from < 0 || to < from {
		return call("faultText", s.add("without", e), e)
	}
	out := e
	for i, option := range strings.Split(text[from+1:to], ",") {
		n := s.add("without", &ast.BasicLit{Kind: token.STRING, Value: strconv.Quote(text[:from] + option + text[to+1:])})
		out = call("faultOption", n, out, &ast.BasicLit{Kind: token.INT, Value: strconv.Itoa(i)})
	}
	return out
}

// literal is a text that may be written in parts.
func literal(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		return text, err == nil && e.Kind == token.STRING
	case *ast.BinaryExpr:
		x, okX := literal(e.X)
		y, okY := literal(e.Y)
		return x + y, okX && okY && e.Op == token.ADD
	}
	return "", false
}
