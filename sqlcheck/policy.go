package sqlcheck

import "github.com/pingcap/tidb/pkg/parser/ast"

func policy(stmt ast.StmtNode, s *Schema) Verdict { return Pass("policy") }
func checkCost(b *Bound) Verdict                  { return Pass("policy") }
