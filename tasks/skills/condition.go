package skills

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/parser"
	"github.com/expr-lang/expr/vm"
)

// Limits of a state expression.
const (
	maxExpression = 400 // bytes
	maxNodes      = 60
)

// A condition is a compiled state expression: members, literals, comparisons,
// and, or, not, in and len, nothing else. A member that the state does not have is
// nil: it equals nothing but nil, has length 0, is in nothing, and neither less nor
// more than anything.
type condition struct{ program *vm.Program }

// compile reads an expression that is true or false whatever the state holds.
func compile(text string) (*condition, error) {
	if len(text) > maxExpression {
		return nil, fmt.Errorf("want at most %d bytes, got %d", maxExpression, len(text))
	}
	tree, err := parser.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("want an expression such as paid == false, got %q: %s", clip(text), oneLine(err))
	}
	if err := truth(tree.Node); err != nil {
		return nil, fmt.Errorf("want an expression such as paid == false, got %q: %w", clip(text), err)
	}
	program, err := expr.Compile(text, expr.AsBool(), expr.MaxNodes(maxNodes), expr.Env(map[string]any{}), expr.AllowUndefinedVariables(),
		expr.DisableAllBuiltins(), expr.Function("len", length), expr.Patch(lenient{}))
	if err != nil {
		return nil, fmt.Errorf("want an expression such as paid == false, got %q: %s", clip(text), oneLine(err))
	}
	return &condition{program}, nil
}

// oneLine is what an error of the library says before it draws a picture.
func oneLine(err error) string {
	first, _, _ := strings.Cut(err.Error(), "\n")
	return line(first)
}

var (
	logic    = []string{"and", "or", "&&", "||"}
	equality = []string{"==", "!="}
	order    = []string{"<", "<=", ">", ">="}
)

// truth wants a node that can only be true or false.
func truth(n ast.Node) error {
	switch n := n.(type) {
	case *ast.BoolNode:
		return nil
	case *ast.UnaryNode:
		if n.Operator == "not" || n.Operator == "!" {
			return truth(n.Node)
		}
	case *ast.BinaryNode:
		switch {
		case slices.Contains(logic, n.Operator):
			return errors.Join(truth(n.Left), truth(n.Right))
		case slices.Contains(equality, n.Operator), slices.Contains(order, n.Operator), n.Operator == "in", n.Operator == "not in":
			return errors.Join(value(n.Left), value(n.Right))
		}
		return fmt.Errorf("the operator %s is not known here", n.Operator)
	case *ast.IdentifierNode, *ast.MemberNode, *ast.ChainNode:
		return errors.New("a member by itself may be no truth: compare it, as in paid == true")
	}
	return errors.New("want comparisons joined by and, or, not")
}

// value wants a node that looks up or states a value.
func value(n ast.Node) error {
	switch n := n.(type) {
	case *ast.NilNode, *ast.BoolNode, *ast.IntegerNode, *ast.FloatNode, *ast.StringNode:
		return nil
	case *ast.IdentifierNode:
		if n.Value == "$env" {
			return errors.New("want members of the state by name, got $env")
		}
		return nil
	case *ast.ChainNode:
		return value(n.Node)
	case *ast.MemberNode:
		if _, ok := n.Property.(*ast.StringNode); !ok || n.Method {
			return errors.New("want members by name, such as order.paid")
		}
		return value(n.Node)
	case *ast.UnaryNode:
		if n.Operator == "-" {
			return value(n.Node)
		}
	case *ast.ArrayNode:
		for _, item := range n.Nodes {
			if err := value(item); err != nil {
				return err
			}
		}
		return nil
	case *ast.BuiltinNode:
		if n.Name == "len" && len(n.Arguments) == 1 {
			return value(n.Arguments[0])
		}
		return fmt.Errorf("the function %s is not known here", n.Name)
	case *ast.CallNode:
		if callee, ok := n.Callee.(*ast.IdentifierNode); ok && callee.Value == "len" && len(n.Arguments) == 1 {
			return value(n.Arguments[0])
		}
		return errors.New("only the function len is known here")
	}
	return errors.New("want members, values and lists of values on both sides of a comparison")
}

// lenient lets unknown members be nil: members of nil are nil, and an order with
// nil does not hold.
type lenient struct{}

func (lenient) Visit(node *ast.Node) {
	switch n := (*node).(type) {
	case *ast.MemberNode:
		n.Optional = true
		ast.Patch(node, &ast.ChainNode{Node: n})
	case *ast.BinaryNode:
		if !slices.Contains(order, n.Operator) {
			return
		}
		known := func(side ast.Node) ast.Node {
			return &ast.BinaryNode{Operator: "!=", Left: side, Right: &ast.NilNode{}}
		}
		both := &ast.BinaryNode{Operator: "and", Left: known(n.Left), Right: known(n.Right)}
		ast.Patch(node, &ast.BinaryNode{Operator: "and", Left: both, Right: n})
	}
}

// length is of nil 0, and of what has none an error.
func length(params ...any) (any, error) {
	switch v := params[0].(type) {
	case nil:
		return 0, nil
	case string:
		return len([]rune(v)), nil
	case []any:
		return len(v), nil
	case map[string]any:
		return len(v), nil
	}
	return nil, fmt.Errorf("len wants a text, a list or an object, got %T", params[0])
}

// Holds reports whether the case is given in a state of JSON or YAML kinds. A
// topic never holds, because nobody evaluates it. The error says that the state
// has a value of a kind that cannot be compared.
func (n Negative) Holds(state map[string]any) (bool, error) {
	if n.State == "" {
		return false, nil
	}
	held := n.held
	if held == nil {
		var err error
		if held, err = compile(n.State); err != nil {
			return false, err
		}
	}
	return held.in(state)
}

func (c *condition) in(state map[string]any) (bool, error) {
	members, _ := plain(state, 0).(map[string]any)
	out, err := expr.Run(c.program, members)
	if err != nil {
		return false, errors.New(oneLine(err))
	}
	holds, ok := out.(bool)
	if !ok {
		return false, fmt.Errorf("want true or false, got %T", out)
	}
	return holds, nil
}

// plain leaves of a value what JSON has, with numbers as int or float64, so that
// no method of another kind can be reached. What is nested too deep is nil.
func plain(v any, depth int) any {
	const deepest = 32
	if depth > deepest {
		return nil
	}
	switch v := v.(type) {
	case map[string]any:
		members := make(map[string]any, len(v))
		for name, member := range v {
			members[name] = plain(member, depth+1)
		}
		return members
	case []any:
		items := make([]any, len(v))
		for i, item := range v {
			items[i] = plain(item, depth+1)
		}
		return items
	case json.Number:
		if i, err := v.Int64(); err == nil {
			return int(i)
		}
		f, _ := v.Float64() // out of range is the largest
		return f
	case string, bool, int, int64, float64:
		return v
	case []string:
		items := make([]any, len(v))
		for i, item := range v {
			items[i] = item
		}
		return items
	}
	return nil
}
