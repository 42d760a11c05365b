/**
 * Vitest's global setup: a folder for the SQLite databases of a run, among them the migrated ones that tests copy. In
 * memory where there is room: what a test waits for the disk proves nothing, and on a busy machine it is most of its time.
 */
import fs from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

/** Where Linux keeps files in memory. In containers it is often too small. */
const MEMORY = "/dev/shm";
/** Bytes. A run uses a tenth of it. */
const ROOM = 2 ** 31;

function hasRoomInMemory(): boolean {
  const { bavail, bsize } = fs.existsSync(MEMORY) ? fs.statfsSync(MEMORY) : { bavail: 0, bsize: 0 };
  return bavail * bsize >= ROOM;
}

export default function setup(): () => void {
  const folder = fs.mkdtempSync(path.join(hasRoomInMemory() ? MEMORY : tmpdir(), "test-databases-"));
  process.env.TEST_FOLDER = folder;
  return () => fs.rmSync(folder, { recursive: true, force: true });
}
