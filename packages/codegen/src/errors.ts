import { ClientError, type ClientErrorOptions, defineErrors } from 'client-ts/internal';

const CODEGEN_ERRORS = {
  CODEGEN_CRD_INVALID: {
    retry: 'never',
    when: 'CustomResourceDefinitions cannot be turned into types.',
  },
  CODEGEN_DISCOVERY_INVALID: {
    retry: 'never',
    when: 'A server lists a group-version whose name is not a name.',
  },
  CODEGEN_GROUP_NOT_FOUND: {
    retry: 'never',
    when: 'A server does not have a group to generate types for.',
  },
} as const;

/** The codes of {@link CodegenError}. */
export type CodegenErrorCode = keyof typeof CODEGEN_ERRORS;

/** Types could not be generated. Nothing was written. */
export class CodegenError extends ClientError {
  declare readonly code: CodegenErrorCode;

  constructor(code: CodegenErrorCode, message: string, options: ClientErrorOptions = {}) {
    super(code, message, options);
  }

  static {
    defineErrors(this, 'CodegenError', 'CODEGEN', CODEGEN_ERRORS);
  }
}

/** One fault of a CustomResourceDefinition, and where it is. */
export interface CrdFault {
  /** The name of the source, usually the path of a file. */
  readonly source: string;
  /** Which document of the source, counted from 1. */
  readonly document: number;
  /** The line in the source, if it is known. */
  readonly line?: number;
  /** `spec.versions[0].name`; empty for the document as a whole. */
  readonly path: string;
  readonly message: string;
}

/** CustomResourceDefinitions cannot be turned into types. `faults` has every fault of every source. */
export class CrdError extends CodegenError {
  readonly faults: readonly CrdFault[];

  constructor(faults: readonly CrdFault[], options: ClientErrorOptions = {}) {
    super('CODEGEN_CRD_INVALID', faults.map(describeFault).join('\n'), options);
    this.faults = faults;
  }

  static {
    defineErrors(this, 'CrdError');
  }
}

function describeFault({ source, document, line, path, message }: CrdFault): string {
  const place = `${source}${line === undefined ? '' : `:${line}`} (document ${document})`;
  return path === '' ? `${place}: ${message}` : `${place}: ${path}: ${message}`;
}
