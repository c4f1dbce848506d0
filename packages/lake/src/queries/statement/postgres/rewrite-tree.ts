import { stringify } from 'lossless-json';
import type { Node } from '../guard-error.ts';
import { parseTree } from '../parse-tree.ts';
import type { Parser } from '../parser.ts';
import { rewriteCall } from './calls.ts';
import { comparedByOid, rewriteCast } from './casts.ts';
import { isVector, rewriteColumn, showFunctions, systemColumns } from './columns.ts';
import { nameOutputs } from './output-names.ts';
import { rewriteSubquery } from './quantified.ts';
import { childrenOf, type Dialect, isNode, Rewriting, unsupported } from './rewriter.ts';
import { comparedByColumn } from './row-comparisons.ts';
import { rewriteTableFunction } from './table-functions.ts';
import { templatesOf } from './templates.ts';
import { canNameOfValues, valueColumns } from './value-columns.ts';

/** Nested objects and lists: far more than the guard accepts. */
const MAX_DEPTH = 3000;

/**
 * Replaces PostgreSQL's functions, operators and types in a serialized tree by those of the engine. The guard then checks
 * the result, so that a statement can do nothing that one in the engine's own dialect can't.
 *
 * @throws GuardError for a form that has no equivalent
 */
export async function rewriteTree(
  parser: Parser,
  tree: string,
  dialect: Dialect,
): Promise<{ readonly tree: string; readonly usesCatalog: boolean }> {
  const ast = parseTree(tree);
  if (ast['error'] === true) return { tree, usesCatalog: false };
  const rewriting = new Rewriting(await templatesOf(parser), dialect);
  if (rewriting.isCatalog) systemColumns(ast);
  if (canNameOfValues(tree)) valueColumns(ast);
  new Walk(rewriting).inside(ast, 0);
  if (rewriting.isCatalog) showFunctions(rewriting, ast);
  return { tree: stringify(ast)!, usesCatalog: rewriting.usesCatalog };
}

class Walk {
  private readonly rewriting: Rewriting;

  constructor(rewriting: Rewriting) {
    this.rewriting = rewriting;
  }

  /** Rewrites what a node contains, innermost first. */
  inside(node: Node, depth: number): void {
    if (depth > MAX_DEPTH) throw unsupported('The query is nested too deeply.');
    if (node['type'] === 'SELECT_NODE') nameOutputs(node);
    for (const [field, value] of Object.entries(node)) {
      if (Array.isArray(value)) this.list(value, node, depth + 1);
      else if (isNode(value)) node[field] = this.rewritten(value, node, depth + 1);
    }
  }

  /** Rewrites the nodes of a list. That of VALUES contains a list for each row. */
  private list(items: unknown[], parent: Node, depth: number): void {
    for (const [i, item] of items.entries()) {
      if (Array.isArray(item)) this.list(item, parent, depth + 1);
      else if (isNode(item)) items[i] = this.rewritten(item, parent, depth + 1);
    }
  }

  private rewritten(node: Node, parent: Node, depth: number): Node {
    this.inside(node, depth);
    switch (node['class']) {
      case 'CAST':
        return rewriteCast(this.rewriting, node);
      case 'COLLATE':
        return withoutCollation(node);
      case 'COMPARISON':
        return comparedByColumn(comparedByOid(this.rewriting, node));
      case 'COLUMN_REF':
        return rewriteColumn(this.rewriting, node);
      case 'FUNCTION':
        return parent['type'] === 'TABLE_FUNCTION' ? node : rewriteCall(this.rewriting, node, parent);
      case 'OPERATOR':
        return node['type'] === 'ARRAY_EXTRACT' ? this.subscript(node) : node;
      case 'SUBQUERY':
        return rewriteSubquery(this.rewriting, node);
      default:
        return node['type'] === 'TABLE_FUNCTION' ? rewriteTableFunction(this.rewriting, node) : node;
    }
  }

  /** The vectors of the catalog count from 0. */
  private subscript(node: Node): Node {
    const [list, index] = childrenOf(node);
    if (!this.rewriting.isCatalog || list === undefined || !isVector(list)) return node;
    return this.rewriting.call('subscript', [list, index!], node);
  }
}

/** Texts are compared by their bytes, as in these collations. Others are left to the engine. */
function withoutCollation(node: Node): Node {
  const name = String(node['collation']).replace(/^pg_catalog\./i, '');
  if (!/^(default|c|posix|ucs_basic|c\.utf-?8)$/i.test(name)) return node;
  const child = node['child'] as Node;
  if (node['alias'] !== '') child['alias'] = node['alias'];
  return child;
}
