import { ClientError } from 'client-ts/internal';

/** Where something stands inside a document: keys of objects and indices of lists. */
export type Path = readonly (number | string)[];

/** One thing that is wrong with a CustomResourceDefinition, and where exactly. */
export interface CrdFault {
  /** The name of the source, as it was given: usually the path of a file. */
  readonly source: string;
  /** Which document of the source, counted from 1. */
  readonly document: number;
  /** The line in the source, if it is known. */
  readonly line?: number;
  /** `spec.versions[0].name`; empty for the document as a whole. */
  readonly path: string;
  readonly message: string;
}

/**
 * CustomResourceDefinitions that cannot be turned into types. Every fault of every source is in
 * `faults`, so that one run is enough to see them all; nothing has been generated.
 */
export class CrdError extends ClientError {
  override readonly name: string = 'CrdError';
  readonly faults: readonly CrdFault[];

  constructor(faults: readonly CrdFault[]) {
    super('CRD_INVALID', faults.map(describeFault).join('\n'));
    this.faults = faults;
  }
}

/** `spec.versions[0].schema.openAPIV3Schema.properties['a-b'].type` */
export function formatPath(path: Path): string {
  return path
    .map((part) => {
      if (typeof part === 'number') return `[${part}]`;
      return /^[\w$]+$|^x-[\w-]+$/.test(part) ? `.${part}` : `[${JSON.stringify(part)}]`;
    })
    .join('')
    .replace(/^\./, '');
}

function describeFault({ source, document, line, path, message }: CrdFault): string {
  const place = `${source}${line === undefined ? '' : `:${line}`} (document ${document})`;
  return path === '' ? `${place}: ${message}` : `${place}: ${path}: ${message}`;
}
