/** The remote procedure of the proto files that is equivalent to an operation. */

/** The service of the proto files: that of the instance, or that of organizations. */
export type ServiceName = "AdminService" | "ManagementService";

export interface Procedure {
  service: ServiceName;
  /** The method's name in the proto file. */
  name: string;
  /** Converts a message to the path and the JSON body of the request. */
  request(message: Readonly<Record<string, unknown>>): { parameters: Readonly<Record<string, string>>; body?: unknown };
  /** Converts the JSON response to the fields of the message. */
  answer(json: object): Record<string, unknown>;
}
