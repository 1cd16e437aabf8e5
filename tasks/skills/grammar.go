package skills

import (
	"errors"
	"fmt"
	"slices"

	"github.com/expr-lang/expr/ast"
)

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
			return both(truth, n)
		case slices.Contains(equality, n.Operator), slices.Contains(order, n.Operator), n.Operator == "in", n.Operator == "not in":
			return both(value, n)
		}
		return fmt.Errorf("the operator %s is not known here", n.Operator)
	case *ast.IdentifierNode, *ast.MemberNode, *ast.ChainNode:
		return errors.New("a member by itself may be no truth: compare it, as in paid == true")
	}
	return errors.New("want comparisons joined by and, or, not")
}

// both wants both sides of an operator to be well; the first fault counts.
func both(well func(ast.Node) error, n *ast.BinaryNode) error {
	if err := well(n.Left); err != nil {
		return err
	}
	return well(n.Right)
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
