/** What some work takes of the processor, where a test is about effort: the clock's time tells how busy the machine is. */

/** Microseconds of processor time that this process took during some work, with its pool of threads. */
export async function processorTime(work: () => unknown): Promise<number> {
  const begun = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(begun);
  return user + system;
}
