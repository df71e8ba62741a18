import type { Status } from 'client-ts/meta';

/** In characters. A real server has no limit; no message of its own comes near this one. */
const LONGEST_MESSAGE = 64 * 1024;
const LONGEST_CAUSE = 4 * 1024;
const MOST_CAUSES = 200;

/**
 * The Status with its texts cut to a length and its causes to a number. Errors quote what clients
 * sent, so without a bound one request of a few megabytes makes an answer of hundreds.
 */
export function boundedStatus(status: Status): Status {
  const { message = '', details } = status;
  const causes = details?.causes ?? [];
  const isShort =
    message.length <= LONGEST_MESSAGE &&
    (details?.name ?? '').length <= LONGEST_CAUSE &&
    causes.length <= MOST_CAUSES &&
    causes.every(
      (cause) => (cause.message ?? '').length + (cause.field ?? '').length <= LONGEST_CAUSE,
    );
  if (isShort) return status;
  return {
    ...status,
    message: cut(message, LONGEST_MESSAGE),
    ...(details && {
      details: {
        ...details,
        ...(details.name !== undefined && { name: cut(details.name, LONGEST_CAUSE) }),
        ...(details.causes && {
          causes: causes.slice(0, MOST_CAUSES).map((cause) => ({
            ...cause,
            ...(cause.message !== undefined && { message: cut(cause.message, LONGEST_CAUSE) }),
            ...(cause.field !== undefined && { field: cut(cause.field, LONGEST_CAUSE) }),
          })),
        }),
      },
    }),
  };
}

function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  // Not in the middle of a character that takes two.
  const end = /[\ud800-\udbff]/.test(text[length - 1] ?? '') ? length - 1 : length;
  return `${text.slice(0, end)}… (${text.length - end} more characters)`;
}
