/** The processor time of work, for tests of effort: elapsed time depends on the load of the machine. */

/** Returns the processor time of this process during some work in microseconds, including its thread pool. */
export async function processorTime(work: () => unknown): Promise<number> {
  const begun = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(begun);
  return user + system;
}
