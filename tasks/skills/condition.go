package skills

import (
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
