/** How much of a long list is read before others have their turn: a few milliseconds' worth. */
export const bytesPerSlice: number = 4 * 1024 * 1024;
