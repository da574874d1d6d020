export type Progress = (message: string) => void;

/** Prints each step with the seconds since the command was typed. */
export function progressSince(typedAt: number): Progress {
  return (message) => {
    const seconds = ((Date.now() - typedAt) / 1000).toFixed(1).padStart(6);
    console.log(`${seconds} s  ${message}`);
  };
}
