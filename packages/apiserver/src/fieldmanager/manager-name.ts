/** In bytes. */
const maxManagerLength = 128;

const printable = /[\p{L}\p{M}\p{N}\p{P}\p{S} ]/u;

/**
 * Who makes a request: the `fieldManager` parameter, or else the program in the User-Agent, which is
 * what stands before the first slash. `unknown` if neither tells.
 */
export function managerName(
  fieldManager: string | undefined,
  userAgent: string | undefined,
): string {
  const name = (fieldManager ?? '') === '' ? nameFromUserAgent(userAgent ?? '') : fieldManager;
  return name === undefined || name === '' ? 'unknown' : name;
}

function nameFromUserAgent(userAgent: string): string {
  const [program = ''] = userAgent.split('/', 1);
  let name = '';
  for (const character of program) {
    if (!printable.test(character)) continue;
    if (Buffer.byteLength(name + character) > maxManagerLength) break;
    name += character;
  }
  return name;
}
