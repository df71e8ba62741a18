import type { Random } from 'client-ts/internal';

/** Letters and digits without vowels and without look-alikes. */
const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';
const SUFFIX_LENGTH = 5;
const LONGEST_NAME = 63;

/** Returns the prefix with five random characters, at most 63 characters in total. */
export function generateName(prefix: string, random: Random): string {
  let suffix = '';
  for (let index = 0; index < SUFFIX_LENGTH; index++) {
    suffix += ALPHABET[Math.floor(random.next() * ALPHABET.length)];
  }
  return prefix.slice(0, LONGEST_NAME - SUFFIX_LENGTH) + suffix;
}
