export { Database, type DatabaseOptions } from './database.js';
export { classifyDatabaseError, type DatabaseErrorKind } from './classify-error.js';
export { migrate, type Migration } from './migrate.js';
export { sql, type SqlResult } from './sql.js';
export { TransactionAbortedError, type Transaction } from './transaction.js';
