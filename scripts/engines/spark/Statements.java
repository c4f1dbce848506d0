import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** Runs the SQL statements of its input, one JSON text a line; answers each with its rows as texts, or its error. */
public class Statements {
  public static void main(String[] args) throws Exception {
    PrintStream answers = System.out;
    System.setOut(System.err);
    SparkSession.Builder builder = SparkSession.builder().master("local[2]").config("spark.ui.enabled", "false");
    for (int i = 0; i < args.length; i += 2) builder = builder.config(args[i], args[i + 1]);
    SparkSession spark = builder.getOrCreate();
    spark.sparkContext().setLogLevel("OFF");
    ObjectMapper json = new ObjectMapper();
    answers.println("{}");
    BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
    for (String line = input.readLine(); line != null; line = input.readLine()) {
      Object answer;
      try {
        List<List<String>> rows = new ArrayList<>();
        for (Row row : spark.sql(json.readValue(line, String.class)).collectAsList()) {
          List<String> values = new ArrayList<>();
          for (int i = 0; i < row.size(); i++) values.add(row.isNullAt(i) ? null : String.valueOf(row.get(i)));
          rows.add(values);
        }
        answer = Map.of("rows", rows);
      } catch (Throwable error) {
        answer = Map.of("error", String.valueOf(error.getMessage()));
      }
      answers.println(json.writeValueAsString(answer));
      answers.flush();
    }
    spark.stop();
  }
}
