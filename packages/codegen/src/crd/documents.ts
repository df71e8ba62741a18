import type { JsonValue } from 'client-ts/internal';
import { parseYamlDocuments, YamlError } from 'client-ts/yaml';

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
  const documents: SourceDocument[] = [];
  const faults: CrdFault[] = [];
  for (const [index, document] of parseYamlDocuments(source.text).entries()) {
    if (document.isEmpty) continue;
    const place = { source: source.name, document: index + 1 };
    const fault = (path: Path, message: string): CrdFault => {
      const line = document.lineOf(path);
      const at = line === undefined ? place : { ...place, line };
      return { ...at, path: formatPath(path), message };
    };
    try {
      const { value, duplicates } = document.read();
      if (value === null) continue;
      // Servers take the last of equal keys; whoever wrote two meant something else.
      for (const duplicate of duplicates)
        faults.push({ ...place, path: '', message: `is not YAML: ${duplicate}` });
      documents.push({ value, fault });
    } catch (error) {
      if (!(error instanceof YamlError)) throw error;
      const { line, reason } = error;
      const at = line === undefined ? place : { ...place, line };
      faults.push({ ...at, path: '', message: `is not YAML: ${reason}` });
    }
  }
  return { documents, faults };
}
