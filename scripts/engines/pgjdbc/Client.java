import java.io.StringReader;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.sql.Array;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import java.util.Timer;
import java.util.TimerTask;
import java.util.UUID;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyManager;

/** pgjdbc against the service. Arguments: the endpoint's port and a token. */
public class Client {
  static int failed = 0;
  static final String SLOW = "SELECT sum(a.i * b.i % 7) FROM range(1000000) a(i), range(1000000) b(i)";

  interface Work {
    Object run() throws Exception;
  }

  static void check(String what, Work work, Object expected) {
    Object found;
    try {
      found = work.run();
    } catch (Exception error) {
      found = error.toString();
    }
    if (Objects.deepEquals(found, expected)) {
      System.out.println("  passed      " + what);
      return;
    }
    failed++;
    System.out.println("  FAILED      " + what + ": " + shown(found) + " is not " + shown(expected));
  }

  static String shown(Object value) {
    return value instanceof byte[] bytes ? Arrays.toString(bytes) : String.valueOf(value);
  }

  static String stateOf(Work work) throws Exception {
    try {
      work.run();
      return null;
    } catch (SQLException error) {
      return error.getSQLState();
    }
  }

  /** The rows as texts, with the columns of these names or all. */
  static List<String> rows(ResultSet found, String... names) throws SQLException {
    List<String> rows = new ArrayList<>();
    int count = found.getMetaData().getColumnCount();
    while (found.next()) {
      List<String> row = new ArrayList<>();
      if (names.length == 0) for (int i = 1; i <= count; i++) row.add(found.getString(i));
      for (String name : names) row.add(found.getString(name));
      rows.add(String.join("|", row.stream().map(String::valueOf).toList()));
    }
    found.close();
    return rows;
  }

  static Connection connect(int port, String token, String... more) throws SQLException {
    Properties properties = new Properties();
    properties.setProperty("user", "admin");
    properties.setProperty("password", token);
    for (int i = 0; i < more.length; i += 2) properties.setProperty(more[i], more[i + 1]);
    return DriverManager.getConnection("jdbc:postgresql://127.0.0.1:" + port + "/dev", properties);
  }

  public static void main(String[] args) throws Exception {
    int port = Integer.parseInt(args[0]);
    try (Connection conn = connect(port, args[1])) {
      metaData(conn.getMetaData());
      values(conn);
      statements(conn);
      copies(conn);
      cancels(conn);
    }
    for (String mode : List.of("simple", "extended", "extendedForPrepared", "extendedCacheEverything")) {
      try (Connection conn = connect(port, args[1], "preferQueryMode", mode)) {
        check("query mode " + mode, () -> prepared(conn, "SELECT buyer FROM shop.orders WHERE id = ?", 1L), List.of("Ann"));
        check("text, number and date in mode " + mode, () -> prepared(conn, "SELECT id FROM shop.orders WHERE buyer = ? AND amount < ? AND day = ?", "Ann", new BigDecimal("11"), LocalDate.of(2026, 3, 1)), List.of("1"));
      }
    }
    System.out.println("pgjdbc: " + (failed == 0 ? "all passed." : failed + " failed."));
    System.exit(failed == 0 ? 0 : 1);
  }

  static void metaData(DatabaseMetaData meta) throws Exception {
    check("product", () -> meta.getDatabaseProductName() + " " + meta.getDatabaseMajorVersion(), "PostgreSQL 16");
    check("getCatalogs", () -> rows(meta.getCatalogs()), List.of("dev"));
    check("getSchemas", () -> rows(meta.getSchemas(), "TABLE_SCHEM").contains("shop"), true);
    check("getTables", () -> rows(meta.getTables(null, "shop", "%", new String[] {"TABLE", "VIEW"}), "TABLE_NAME", "TABLE_TYPE", "REMARKS"), List.of("kinds|TABLE|null", "numbers|TABLE|null", "orders|TABLE|Orders of the shop", "written|TABLE|null", "paid|VIEW|null"));
    check("getTables of all types", () -> rows(meta.getTables(null, "shop", "ord%", null), "TABLE_NAME"), List.of("orders_pkey", "orders"));
    check("getColumns", () -> rows(meta.getColumns(null, "shop", "orders", "%"), "COLUMN_NAME", "TYPE_NAME", "COLUMN_SIZE", "DECIMAL_DIGITS", "IS_NULLABLE", "REMARKS"), List.of("id|int8|19|0|NO|Number of the order", "buyer|text|2147483647|0|YES|null", "amount|numeric|10|2|YES|In euros", "placed|timestamptz|35|6|YES|null", "day|date|13|0|YES|null", "paid|bool|1|0|YES|null"));
    check("getPrimaryKeys", () -> rows(meta.getPrimaryKeys(null, "shop", "orders"), "COLUMN_NAME", "KEY_SEQ"), List.of("id|1"));
    check("getIndexInfo", () -> rows(meta.getIndexInfo(null, "shop", "orders", false, true), "COLUMN_NAME", "NON_UNIQUE"), List.of("id|f"));
    check("getImportedKeys", () -> rows(meta.getImportedKeys(null, "shop", "orders")), List.of());
    check("getExportedKeys", () -> rows(meta.getExportedKeys(null, "shop", "orders")), List.of());
    check("getTablePrivileges", () -> rows(meta.getTablePrivileges(null, "shop", "orders"), "PRIVILEGE").contains("SELECT"), true);
    check("getColumnPrivileges", () -> rows(meta.getColumnPrivileges(null, "shop", "orders", "id"), "PRIVILEGE").contains("SELECT"), true);
    check("getTypeInfo", () -> rows(meta.getTypeInfo(), "TYPE_NAME").containsAll(List.of("int4", "int8", "text", "numeric", "bool", "timestamptz")), true);
    check("getTableTypes", () -> rows(meta.getTableTypes()).contains("VIEW"), true);
    check("getProcedures", () -> rows(meta.getProcedures(null, "shop", "%")), List.of());
    check("getFunctions", () -> rows(meta.getFunctions(null, "shop", "%")), List.of());
    check("getUDTs", () -> rows(meta.getUDTs(null, "shop", "%", null)), List.of());
    check("getBestRowIdentifier", () -> rows(meta.getBestRowIdentifier(null, "shop", "orders", 0, true), "COLUMN_NAME"), List.of("id"));
    check("getVersionColumns", () -> meta.getVersionColumns(null, "shop", "orders").getMetaData().getColumnCount(), 8);
    check("getClientInfoProperties", () -> rows(meta.getClientInfoProperties()).isEmpty(), false);
    check("getMaxColumnNameLength", () -> meta.getMaxColumnNameLength(), 63);
    check("getSQLKeywords", () -> meta.getSQLKeywords().isEmpty(), false);
  }

  static Object one(Connection conn, String sql, Object value) throws SQLException {
    try (PreparedStatement statement = conn.prepareStatement(sql)) {
      statement.setObject(1, value);
      try (ResultSet found = statement.executeQuery()) {
        found.next();
        if (value == null) return found.getObject(1);
        return found.getObject(1, value.getClass());
      }
    }
  }

  static void values(Connection conn) throws Exception {
    OffsetDateTime instant = OffsetDateTime.of(2026, 3, 1, 10, 11, 12, 500_000_000, ZoneOffset.UTC);
    Object[][] pairs = {
      {"INT", 7}, {"BIGINT", 1L << 40}, {"SMALLINT", 3}, {"NUMERIC(20,3)", new BigDecimal("-12.345")}, {"DOUBLE PRECISION", 2.5}, {"REAL", 1.5f},
      {"TEXT", "it's"}, {"BOOLEAN", true}, {"DATE", LocalDate.of(1969, 12, 31)}, {"TIME", LocalTime.of(1, 2, 3)}, {"TIMESTAMP", LocalDateTime.of(2026, 3, 1, 1, 2, 3, 4000)},
      {"TIMESTAMPTZ", instant}, {"UUID", UUID.fromString("12345678-1234-1234-1234-123456789abc")}, {"BYTEA", new byte[] {0, -1, 39}},
    };
    for (Object[] pair : pairs) {
      String sql = "SELECT ?::" + pair[0];
      // From the fifth execution on, the statement is prepared and its values are binary.
      for (int i = 0; i < 7; i++) if (i == 0 || i == 6) check(pair[0] + " both ways, execution " + i, () -> one(conn, sql, pair[1]), pair[1]);
      check(pair[0] + " null", () -> one(conn, sql, null), null);
    }
    try (PreparedStatement statement = conn.prepareStatement("SELECT ?::BIGINT * 2, ?::NUMERIC, ?::UUID")) {
      for (int i = 0; i < 12; i++) {
        int n = i;
        statement.setLong(1, n);
        statement.setBigDecimal(2, new BigDecimal(n + ".5"));
        statement.setObject(3, new UUID(0, n));
        check("prepared statement, execution " + n, () -> {
          try (ResultSet found = statement.executeQuery()) {
            found.next();
            return List.of(found.getLong(1), found.getBigDecimal(2).compareTo(new BigDecimal(n + ".5")), found.getObject(3));
          }
        }, List.of(2L * n, 0, new UUID(0, n)));
      }
    }
    Array ids = conn.createArrayOf("int8", new Object[] {1L, 3L});
    for (int i = 0; i < 7; i++) check("array parameter, execution " + i, () -> prepared(conn, "SELECT id FROM shop.orders WHERE id = ANY (?) ORDER BY id", ids), List.of("1", "3"));
    check("array result", () -> {
      try (Statement statement = conn.createStatement(); ResultSet found = statement.executeQuery("SELECT list, texts FROM shop.kinds")) {
        found.next();
        return Arrays.asList(Arrays.asList((Object[]) found.getArray(1).getArray()), Arrays.asList((Object[]) found.getArray(2).getArray()));
      }
    }, Arrays.asList(Arrays.asList(1, null, 3), Arrays.asList("a", null, "b,\"c\"")));
  }

  static List<String> prepared(Connection conn, String sql, Object... values) throws SQLException {
    try (PreparedStatement statement = conn.prepareStatement(sql)) {
      for (int i = 0; i < values.length; i++) statement.setObject(i + 1, values[i]);
      return rows(statement.executeQuery());
    }
  }

  static void statements(Connection conn) throws Exception {
    check("metadata of a result", () -> {
      try (Statement statement = conn.createStatement(); ResultSet found = statement.executeQuery("SELECT id, amount, buyer AS who FROM shop.orders")) {
        ResultSetMetaData meta = found.getMetaData();
        return List.of(meta.getColumnTypeName(1), meta.getPrecision(2), meta.getScale(2), meta.getColumnLabel(3));
      }
    }, List.of("int8", 10, 2, "who"));
    check("metadata of a statement", () -> {
      try (PreparedStatement statement = conn.prepareStatement("SELECT buyer FROM shop.orders WHERE id = ?")) {
        return List.of(statement.getMetaData().getColumnTypeName(1), statement.getParameterMetaData().getParameterTypeName(1));
      }
    }, List.of("text", "int8"));
    check("batch", () -> {
      try (PreparedStatement statement = conn.prepareStatement("INSERT INTO shop.written (id, buyer, day) VALUES (?, ?, ?)")) {
        for (int i = 0; i < 5; i++) {
          statement.setInt(1, i);
          statement.setString(2, "b" + i);
          statement.setObject(3, LocalDate.of(2026, 3, 1));
          statement.addBatch();
        }
        return Arrays.stream(statement.executeBatch()).sum();
      }
    }, 5);
    check("its rows", () -> prepared(conn, "SELECT count(*), max(buyer), min(day) FROM shop.written"), List.of("5|b4|2026-03-01"));
    check("executeUpdate", () -> conn.createStatement().executeUpdate("DELETE FROM shop.written"), 5);
    check("maxRows", () -> {
      try (Statement statement = conn.createStatement()) {
        statement.setMaxRows(10);
        return rows(statement.executeQuery("SELECT id FROM shop.numbers")).size();
      }
    }, 10);
    conn.setAutoCommit(false);
    check("fetch size over 100,000 rows", () -> {
      try (Statement statement = conn.createStatement()) {
        statement.setFetchSize(1000);
        long sum = 0;
        try (ResultSet found = statement.executeQuery("SELECT id FROM shop.numbers")) {
          while (found.next()) sum += found.getLong(1);
        }
        return sum;
      }
    }, 4_999_950_000L);
    conn.commit();
    check("a change in a transaction", () -> stateOf(() -> conn.createStatement().executeUpdate("INSERT INTO shop.written (id) VALUES (1)")), "25006");
    conn.rollback();
    conn.setAutoCommit(true);
    check("read-only", () -> {
      conn.setReadOnly(true);
      conn.setAutoCommit(false);
      List<String> found = prepared(conn, "SELECT 1");
      conn.commit();
      conn.setAutoCommit(true);
      conn.setReadOnly(false);
      return found;
    }, List.of("1"));
    check("isolation", () -> {
      conn.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
      return conn.getTransactionIsolation();
    }, Connection.TRANSACTION_READ_COMMITTED);
    check("schema", () -> {
      conn.setSchema("shop");
      List<String> found = prepared(conn, "SELECT buyer FROM orders WHERE id = ?", 1L);
      return List.of(conn.getSchema(), found.get(0));
    }, List.of("shop", "Ann"));
    check("isValid", () -> conn.isValid(5), true);
    check("an error", () -> stateOf(() -> prepared(conn, "SELECT * FROM shop.nothing")), "42P01");
    check("escapes", () -> prepared(conn, "SELECT {fn ucase('a')}, {d '2026-03-01'}, {ts '2026-03-01 00:00:00'}"), List.of("A|2026-03-01|2026-03-01 00:00:00"));
  }

  static void copies(Connection conn) throws Exception {
    CopyManager copies = conn.unwrap(PGConnection.class).getCopyAPI();
    check("copyIn", () -> copies.copyIn("COPY shop.written (id, buyer) FROM STDIN WITH (FORMAT csv)", new StringReader("1,\"a,b\"\n2,\n")), 2L);
    StringWriter out = new StringWriter();
    check("copyOut", () -> copies.copyOut("COPY (SELECT id, buyer FROM shop.written ORDER BY id) TO STDOUT", out), 2L);
    check("its data", () -> out.toString(), "1\ta,b\n2\t\\N\n");
    check("a copy of all rows", () -> copies.copyOut("COPY shop.numbers TO STDOUT WITH (FORMAT csv)", new StringWriter()), 100_000L);
    check("an error in copyIn", () -> stateOf(() -> copies.copyIn("COPY shop.written (id) FROM STDIN", new StringReader("x\n"))), "22P02");
    conn.createStatement().execute("TRUNCATE shop.written");
  }

  static void cancels(Connection conn) throws Exception {
    try (Statement statement = conn.createStatement()) {
      Timer timer = new Timer();
      timer.schedule(new TimerTask() {
        public void run() {
          try {
            statement.cancel();
          } catch (SQLException error) {
            throw new IllegalStateException(error);
          }
        }
      }, 500);
      check("cancel", () -> stateOf(() -> statement.executeQuery(SLOW)), "57014");
      timer.cancel();
      statement.setQueryTimeout(1);
      check("query timeout", () -> stateOf(() -> statement.executeQuery(SLOW)), "57014");
    }
    check("the connection works afterwards", () -> prepared(conn, "SELECT 1"), List.of("1"));
  }
}
