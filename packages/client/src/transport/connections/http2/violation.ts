/** The error codes of RFC 9113, section 7. */
export const ERROR_CODES = {
  NO_ERROR: 0x0,
  PROTOCOL_ERROR: 0x1,
  INTERNAL_ERROR: 0x2,
  FLOW_CONTROL_ERROR: 0x3,
  SETTINGS_TIMEOUT: 0x4,
  STREAM_CLOSED: 0x5,
  FRAME_SIZE_ERROR: 0x6,
  REFUSED_STREAM: 0x7,
  CANCEL: 0x8,
  COMPRESSION_ERROR: 0x9,
  CONNECT_ERROR: 0xa,
  ENHANCE_YOUR_CALM: 0xb,
  INADEQUATE_SECURITY: 0xc,
  HTTP_1_1_REQUIRED: 0xd,
} as const;

export type ErrorName = keyof typeof ERROR_CODES;

/** Returns the name of an error code, for messages. */
export function errorName(code: number): string {
  const named = Object.entries(ERROR_CODES).find(([, value]) => value === code);
  return named?.[0] ?? `error ${code}`;
}

/** The server broke a rule of HTTP/2; `errorName` is sent to it. */
export interface Violation extends Error {
  readonly errorName: ErrorName;
}

/** Returns the error for a broken rule, to be thrown where frames are read. Callers never see it alone. */
export function violation(name: ErrorName, message: string): Violation {
  return Object.assign(new Error(message), { errorName: name });
}

export function isViolation(error: unknown): error is Violation {
  return error instanceof Error && 'errorName' in error;
}
