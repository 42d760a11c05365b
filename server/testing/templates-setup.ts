/**
 * Vitest's global setup: a folder for the SQLite databases of a run, including the migrated templates. It is in memory
 * if there is room: waiting for the disk proves nothing, and is most of the time of a test on a busy machine.
 */
import fs from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

/** The folder that Linux keeps in memory. It is often too small in containers. */
const MEMORY = "/dev/shm";
/** The required space in bytes. A run uses a tenth of it. */
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
