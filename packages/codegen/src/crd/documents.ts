import type { JsonValue } from 'client-ts/lib';
import { isMap, isNode, isSeq, LineCounter, parseAllDocuments } from 'yaml';

import { type CrdFault, formatPath, type Path } from './fault.ts';

/** A text with CustomResourceDefinitions in YAML or JSON, and the name to give in messages. */
export interface CrdSource {
  readonly name: string;
  readonly text: string;
}

/** One document of a source, as data, with the way back to its lines. */
export interface SourceDocument {
  readonly value: JsonValue;
  /** A fault at a path in this document. */
  fault(path: Path, message: string): CrdFault;
}

/** Splits a source into its documents. Empty ones are left out. */
export function readDocuments(source: CrdSource): {
  readonly documents: readonly SourceDocument[];
  readonly faults: readonly CrdFault[];
} {
  const lines = new LineCounter();
  const documents: SourceDocument[] = [];
  const faults: CrdFault[] = [];
  const parsed = parseAllDocuments(source.text, {
    lineCounter: lines,
    merge: true,
    prettyErrors: false,
  });
  if (!Array.isArray(parsed)) return { documents, faults };
  for (const [index, document] of parsed.entries()) {
    const place = { source: source.name, document: index + 1 };
    const syntaxErrors = document.errors.map(({ message, pos }) => ({
      ...place,
      line: lines.linePos(pos[0]).line,
      path: '',
      message: `is not YAML: ${message}`,
    }));
    faults.push(...syntaxErrors);
    if (syntaxErrors.length > 0 || document.contents === null) continue;

    const lineOf = (path: Path): number | undefined => {
      let node: unknown = document.contents;
      for (const part of path) {
        const next: unknown = isMap(node) || isSeq(node) ? node.get(part, true) : undefined;
        if (!isNode(next)) break;
        node = next;
      }
      return isNode(node) && node.range ? lines.linePos(node.range[0]).line : undefined;
    };
    const fault = (path: Path, message: string): CrdFault => {
      const line = lineOf(path);
      const at = line === undefined ? place : { ...place, line };
      return { ...at, path: formatPath(path), message };
    };
    try {
      documents.push({ value: document.toJS() as JsonValue, fault });
    } catch (error) {
      // An alias without its anchor, or aliases that would unfold into gigabytes.
      faults.push({ ...place, path: '', message: `is not YAML: ${(error as Error).message}` });
    }
  }
  return { documents, faults };
}
