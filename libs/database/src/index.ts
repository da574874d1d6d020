export { arrayLiteral } from './array-literal.js';
export { DatabaseModule } from './database.module.js';
export { Database, type DatabaseOptions } from './database.js';
export { classifyDatabaseError, type DatabaseErrorKind, isDataError, isNetworkError } from './classify-error.js';
export { isStorable } from './is-storable.js';
export { migrate, type Migration } from './migrate.js';
export { clientOf, sql, type SqlResult } from './sql.js';
export { ConnectionLostError, TransactionAbortedError, TransactionEndedError } from './transaction-errors.js';
export { destroyConnection, type Transaction } from './transaction.js';
