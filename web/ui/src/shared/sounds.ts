/** Sounds of FACES.md 8: off until somebody switches them on for this device; each has a visible twin. */

const KEY = "cutcard.sound";
const LENGTH_S = 0.14;
let context: AudioContext | null = null;

/** Whether this device makes sounds. */
export function soundOn(): boolean {
  try { return localStorage.getItem(KEY) === "on"; } catch { return false; }
}

/** Switch the sounds of this device on or off. */
export function setSound(on: boolean): void {
  try { localStorage.setItem(KEY, on ? "on" : "off"); } catch { /* storage may be closed to us */ }
}

function tones(frequencies: number[]): void {
  if (!soundOn()) return;
  context ??= new AudioContext();
  const audio = context;
  frequencies.forEach((frequency, at) => {
    const begins = audio.currentTime + at * LENGTH_S;
    const tone = audio.createOscillator();
    const loudness = audio.createGain();
    tone.frequency.value = frequency;
    loudness.gain.setValueAtTime(0.12, begins);
    loudness.gain.exponentialRampToValueAtTime(0.001, begins + LENGTH_S);
    tone.connect(loudness).connect(audio.destination);
    tone.start(begins);
    tone.stop(begins + LENGTH_S);
  });
}

/** One low tone: a card is due later than the pace. */
export function soundLate(): void {
  tones([220]);
}

/** Two falling tones: the table is held. */
export function soundHold(): void {
  tones([520, 390]);
}

/** A soft chime: there is a new hold, or one that nobody has. */
export function soundChime(): void {
  tones([660]);
}
